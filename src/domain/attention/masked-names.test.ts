import { expect, it } from 'vitest';
import { withoutNames } from './masked-names.js';

it.each([
  ['RT @north_walnut757: $NVDA up', 'RT @…: $NVDA up'],
  ['thanks @anna.bsky.social, @bob@mastodon.example!', 'thanks @…, @…!'],
  ['ask ＠太郎 or @ünal', 'ask @… or @…'],
  ['mail me: first.last+x@example.co.uk', 'mail me: @…'],
  ['as u/deep-value and /u/Some_One said', 'as u/… and u/… said'],
  ['see https://x.com/somebody/status/17?s=20 now', 'see x.com/… now'],
  ['http://user:pw@host.example/path', 'host.example/…'],
  ['twitter.com/somebody says', 'twitter.com/… says'],
  ['https://marketnotes.example…', 'marketnotes.example/…'],
  ['author did:plc:abc123xyz wrote', 'author did:… wrote'],
  ['bought @ 12.50, 5x @ market', 'bought @ 12.50, 5x @ market'],
  ['$BRK.B and #stocks, 50/50, EU/US, R&D', '$BRK.B and #stocks, 50/50, EU/US, R&D'],
])('%s', (said, shown) => {
  expect(withoutNames(said)).toBe(shown);
  expect(withoutNames(shown)).toBe(shown);
});

it.each(['@', 'a.', 'a@', 'u/', 'https://', 'did:', '@a.', '-.@'])(
  'gets through %s, said over and over',
  (piece) => {
    const shown = withoutNames(piece.repeat(2_000));
    expect(withoutNames(shown)).toBe(shown);
  },
);
