import { describe, expect, it } from 'vitest';
import { resolveMentions } from './entities.js';

const universe = new Set(['AAPL', 'T', 'C', 'D', 'ALL', 'NOW', 'ON', 'NVDA', 'BRK.B', 'EAT', 'GME', 'TSLA']);
const mentions = (text: string, tagged: string[] = []): string[] =>
  resolveMentions(text, tagged, universe).map(({ ticker, form }) => `${ticker}:${form}`);

describe('resolveMentions', () => {
  it('finds cashtags with word boundaries and each ticker once', () => {
    expect(mentions('Long $AAPL and $aapl, not $NVDA.')).toEqual(['AAPL:cashtag', 'NVDA:cashtag']);
    expect(mentions('class shares $BRK-B, $BRK.B')).toEqual(['BRK.B:cashtag']);
  });

  it('is not fooled by dollar signs inside words and amounts', () => {
    expect(mentions('EA$T side, L$D and $5 or $T1X')).toEqual([]);
    expect(mentions('A$AP $$T US$C')).toEqual([]);
  });

  it('takes bare upper-case names only when they are no words and the text is not shouting', () => {
    expect(mentions('I think NVDA beats GME')).toEqual(['NVDA:bare', 'GME:bare']);
    expect(mentions('ALL of you EAT NOW, come ON, T and C')).toEqual([]);
    expect(mentions('NVDA TO THE MOON')).toEqual([]);
    expect(mentions('see example.com/NVDA and #GME and @TSLA')).toEqual([]);
  });

  it('lets the platform tag win, also outside the universe', () => {
    expect(mentions('about NVDA', ['$nvda', 'ZZZZ', 'not a ticker'])).toEqual(['NVDA:tagged', 'ZZZZ:tagged']);
  });

  it('ignores cashtags of names that nobody listed', () => {
    expect(mentions('$YOLO $FOMO')).toEqual([]);
  });
});
