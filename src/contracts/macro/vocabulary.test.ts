// The words on the wire are the words that the engine speaks.
import { expect, it } from 'vitest';
import { SCORE_BANDS } from '../../domain/macro/asset-score.js';
import { FAMILY_KEYS } from '../../domain/macro/catalogue/families.js';
import { INDEXES } from '../../domain/macro/catalogue/indexes.js';
import { NARRATIVES } from '../../domain/macro/catalogue/narratives.js';
import { SECTORS } from '../../domain/macro/catalogue/sector-priors.js';
import { CHANGE_KINDS } from '../../domain/macro/changes.js';
import { GAUGE_SIGNALS } from '../../domain/macro/gauges.js';
import { VINTAGES } from '../../domain/macro/index-timeline.js';
import { NARRATIVE_STATES } from '../../domain/macro/narrative-machine.js';
import { INDEX_STATUSES } from '../../domain/macro/reading.js';
import { REGIME_LABELS } from '../../domain/macro/regime.js';
import { Gauge } from './gauges.js';
import { INDEX_SYMBOLS } from './index-symbols.js';
import { NARRATIVE_COUNT } from './narratives.js';
import { ChangeKind } from './signal-changes.js';
import {
  GaugeSignal,
  IndexStatus,
  Licence,
  NarrativeState,
  RegimeLabel,
  ScoreBand,
  Vintage,
} from './vocabulary.js';

it('agrees with the engine, list by list', () => {
  expect(GaugeSignal.options).toEqual([...GAUGE_SIGNALS]);
  expect(IndexStatus.options).toEqual([...INDEX_STATUSES]);
  expect([...RegimeLabel.options].sort()).toEqual([...REGIME_LABELS].sort());
  expect(NarrativeState.options).toEqual([...NARRATIVE_STATES]);
  expect(ScoreBand.options).toEqual([...SCORE_BANDS]);
  expect(Vintage.options).toEqual([...VINTAGES]);
  expect(Gauge.shape.gauge_key.options).toEqual([...FAMILY_KEYS]);
  expect(INDEX_SYMBOLS).toEqual(INDEXES.map(({ symbol }) => symbol));
  expect(ChangeKind.options).toEqual([...CHANGE_KINDS]);
  for (const { licence } of INDEXES) expect(Licence.options).toContain(licence);
});

it('counts what the contracts promise', () => {
  expect(INDEXES).toHaveLength(62);
  expect(NARRATIVES).toHaveLength(NARRATIVE_COUNT);
  expect(FAMILY_KEYS).toHaveLength(14);
  expect(SECTORS).toHaveLength(11);
});
