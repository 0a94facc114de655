// The looks of the front page: one column of numbers that line up, light or dark, on a phone too.

export const BOARD_STYLE = `:root {
  color-scheme: light dark;
  --paper: light-dark(#fbfaf7, #14171a);
  --raised: light-dark(#ffffff, #1b1f23);
  --ink: light-dark(#1c2126, #e6e8ea);
  --quiet: light-dark(#59636d, #9aa4ae);
  --line: light-dark(#dfddd6, #2d333a);
  --link: light-dark(#0b5cad, #7db7f5);
  --up: light-dark(#1a6f3c, #63d394);
  --down: light-dark(#a3302a, #f08d86);
  --note: light-dark(#fff1c9, #40340d);
  --note-ink: light-dark(#5a4300, #ffe08a);
  --elevated: light-dark(#fdf0cf, #3a3116);
  --high: light-dark(#fddcc0, #4a2c14);
  --extreme: light-dark(#f9c9c5, #551f1c);
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
header, main, footer { max-width: 60rem; margin: 0 auto; padding: 0 1rem }
header { padding-top: 1.5rem }
h1 { margin: 0; font-size: 1.6rem; letter-spacing: -0.01em }
.lead { margin: 0.25rem 0 0.5rem; color: var(--quiet) }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem }
a { color: var(--link) }
a:focus-visible, .scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
.banner { margin: 0; padding: 0.5rem 1rem; background: var(--note); color: var(--note-ink); text-align: center }
.status { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.6rem; margin: 1.25rem 0 0.5rem }
.light { width: 0.65rem; height: 0.65rem; border-radius: 50%; background: var(--quiet) }
.light[data-state="live"] { background: var(--up) }
.light[data-state="broken"] { background: var(--down) }
#age { color: var(--quiet); font-variant-numeric: tabular-nums }
.scroll { overflow-x: auto; background: var(--raised); border: 1px solid var(--line); border-radius: 6px }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums }
caption { padding: 0.6rem 0.75rem; text-align: left; font-weight: 600; white-space: normal }
caption span { color: var(--quiet); font-weight: 400 }
th, td { padding: 0.35rem 0.75rem; text-align: left; border-top: 1px solid var(--line); white-space: nowrap }
thead th { color: var(--quiet); font-size: 0.85rem; font-weight: 600 }
tbody th { font-weight: 600 }
.number { text-align: right }
.up { color: var(--up) }
.down { color: var(--down) }
.same { color: var(--quiet) }
.band { margin: 0 -0.4rem; padding: 0.05rem 0.4rem; border-radius: 1rem }
.band[data-band="elevated"] { background: var(--elevated) }
.band[data-band="high"] { background: var(--high) }
.band[data-band="extreme"] { background: var(--extreme); font-weight: 600 }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
footer { padding-top: 1rem; padding-bottom: 2rem; color: var(--quiet) }
@media (max-width: 34rem) {
  header, main, footer { padding-left: 0.5rem; padding-right: 0.5rem }
  th, td { padding: 0.35rem 0.3rem; font-size: 0.8125rem }
  thead th { font-size: 0.75rem }
}
@media (prefers-reduced-motion: no-preference) {
  tbody tr.changed { animation: changed 1.5s ease-out }
  @keyframes changed { from { background: var(--note) } }
}
`;
