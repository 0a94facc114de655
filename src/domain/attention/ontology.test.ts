// The ontology binds every parameter: whatever is changed there changes the fingerprint.
import { expect, it } from 'vitest';
import { OntologyBody } from '../../contracts/attention/catalogue.js';
import { KpiId, KpiReceipt, KpiState } from '../../contracts/attention/kpi-receipt.js';
import { SignalKind } from '../../contracts/attention/signals.js';
import { fingerprint } from '../../kernel/fingerprint.js';
import { MEASURES } from './measure-parameters.js';
import { KPI_IDS, KPI_STATES, ONTOLOGY, ONTOLOGY_SHA256 } from './ontology.js';
import { ATTENTION } from './parameters.js';
import { SIGNAL_TYPES } from './signals.js';

const leaves = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value];

it('holds every number of the measures, in order', () => {
  expect(leaves(ONTOLOGY.parameters.attention)).toEqual(leaves(ATTENTION));
  expect(leaves(ONTOLOGY.parameters.measures)).toEqual(leaves(MEASURES));
  expect(JSON.stringify(ONTOLOGY.parameters)).not.toMatch(/"[^"]*[A-Z][^"]*":/);
});

it('points to parameters that are there, and keeps the private ones out', () => {
  for (const { parameters } of [...ONTOLOGY.core_kpis, ...ONTOLOGY.metrics]) {
    for (const path of parameters) {
      const found = path
        .split('.')
        .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], ONTOLOGY.parameters);
      expect(found, path).toBeDefined();
    }
  }
  expect(JSON.stringify(ONTOLOGY)).not.toMatch(/veto|caution|secret/);
});

it('has one fingerprint, and the fingerprint sees a changed parameter', () => {
  expect(fingerprint(JSON.parse(JSON.stringify(ONTOLOGY)))).toBe(ONTOLOGY_SHA256);
  const changed = structuredClone(ONTOLOGY) as unknown as { parameters: { attention: { window: number } } };
  changed.parameters.attention.window += 1;
  expect(fingerprint(changed)).not.toBe(ONTOLOGY_SHA256);
});

it('is what the contracts promise', () => {
  expect(OntologyBody.parse(JSON.parse(JSON.stringify(ONTOLOGY)))).toEqual(ONTOLOGY);
  expect(KpiId.options).toEqual(KPI_IDS);
  expect(ONTOLOGY.core_kpis.map(({ id }) => id)).toEqual(KPI_IDS);
  expect(KpiState.options).toEqual(KPI_STATES);
  expect(SignalKind.options).toEqual(SIGNAL_TYPES);
  expect(Object.keys(KpiReceipt.shape)).toHaveLength(8);
});
