// The themes of an asset: what is told first, then by impact, and nothing that hardly matters.
import { expect, it } from 'vitest';
import { seededRandom } from '../../kernel/statistics/seeded-random.js';
import { NARRATIVES } from './catalogue/narratives.js';
import type { NarrativeReading } from './macro-frame.js';
import { NARRATIVE_STATES } from './narrative-machine.js';
import { THEME } from './parameters.js';
import { themesOf } from './themes.js';

const random = seededRandom('themes');

function drawn(): { exposures: Float64Array; narratives: NarrativeReading[] } {
  const narratives = NARRATIVES.map(
    ({ slug, label }, n): NarrativeReading => ({
      slug,
      label,
      state: NARRATIVE_STATES[random.integer(0, NARRATIVE_STATES.length - 1)]!,
      since: null,
      score: n % 11 === 4 ? null : random.integer(0, 100),
      z: null,
      momentum1w: null,
      attentionZ: null,
      driverZ: null,
      phase: random.uniform() < 0.2 ? -1 : 1,
      confidence: 100,
    }),
  );
  // Few different sizes, so that there are ties.
  return { narratives, exposures: Float64Array.from(narratives, () => random.integer(-8, 8) / 8) };
}

it('are those that sorting all of them would put first', () => {
  for (let round = 0; round < 200; round += 1) {
    const { exposures, narratives } = drawn();
    const all = narratives.flatMap(({ slug, score, state, phase }, n) => {
      if (score === null) return [];
      const exposure = exposures[n]! * phase;
      const impact = Math.round(((exposure * (score - 50)) / 50) * 1000) / 1000;
      const asleep = state === 'Dormant' || state === 'Warming';
      return Math.abs(impact) < THEME.minimumImpact ? [] : [{ slug, exposure, impact, asleep }];
    });
    all.sort((a, b) => Number(a.asleep) - Number(b.asleep) || Math.abs(b.impact) - Math.abs(a.impact));
    expect(
      themesOf(exposures, narratives).map(({ slug, exposure, impact }) => ({ slug, exposure, impact })),
    ).toEqual(all.slice(0, THEME.most).map(({ slug, exposure, impact }) => ({ slug, exposure, impact })));
  }
});
