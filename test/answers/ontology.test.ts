// The published ontology: every metric is defined to the last number, under a fingerprint that anybody can make again.
import { expect, it } from 'vitest';
import { catalogueAnswers } from '../../src/answers/catalogue.js';
import { Ontology } from '../../src/contracts/attention/catalogue.js';
import { fingerprint } from '../../src/kernel/fingerprint.js';

const answer = Ontology.parse(await catalogueAnswers().ontology());
const { ontology } = answer;

it('has the fingerprint of its own canonical JSON', () => {
  expect(fingerprint(ontology)).toBe(answer.ontology_sha256);
});

it('defines every metric: formula, inputs, unit, window and where its numbers stand', () => {
  const metrics = [...ontology.core_kpis, ...ontology.metrics];
  expect(ontology.core_kpis).toHaveLength(5);
  for (const { id, formula, inputs, unit, window, parameters } of metrics) {
    expect([id, formula, unit].every((text) => text.length > 0)).toBe(true);
    expect([id, inputs.length > 0, parameters.length > 0]).toEqual([id, true, true]);
    expect(window).toMatch(/^P/);
    for (const path of parameters) {
      const found = path
        .split('.')
        .reduce<unknown>(
          (inner, name) => (inner as Record<string, unknown> | undefined)?.[name],
          ontology.parameters,
        );
      expect([id, path, typeof found]).toEqual([id, path, 'object']);
    }
  }
});

it('comes with a JSON Schema that names its version and exactly its members', () => {
  const schema = answer.json_schema as {
    $id: string;
    $schema: string;
    $defs: Record<string, { required: string[]; additionalProperties: boolean }>;
  };
  expect(schema.$id).toBe(`barograph.ontology.v1/${ontology.version}`);
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  const body = schema.$defs['OntologyBody']!;
  expect(body.required.toSorted()).toEqual(Object.keys(ontology).toSorted());
  expect(body.additionalProperties).toBe(false);
  expect(schema.$defs['CoreKpi']!.required.toSorted()).toEqual(
    Object.keys(ontology.core_kpis[0]!).toSorted(),
  );
  expect(schema.$defs['Metric']!.required.toSorted()).toEqual(Object.keys(ontology.metrics[0]!).toSorted());
});
