// Identity events, and beside them the rectangles of effective × known time that they make, which the database itself keeps apart.
import type { Fact } from '../../domain/facts/fact.js';
import type { Claim } from '../../domain/facts/identity.js';
import { run, type Sql } from './driver.js';
import type { FactTable } from './fact-table.js';

/**
 * `identity_assertions` is the register for whoever asks in SQL, and a second net: no two rows of a subject may overlap
 * on both axes. A row's `known` is closed once, never changed otherwise; `sequence` leads to the event that it repeats.
 * Subjects are compared as ranges of one number, which needs no extension that an operator would have to allow.
 */
export const IDENTITY_TABLES = `
CREATE TABLE barograph.identities (
  sequence bigint NOT NULL,
  known_at bigint NOT NULL,
  effective_at bigint NOT NULL,
  source smallint NOT NULL,
  backfilled boolean NOT NULL,
  id text COLLATE "C" NOT NULL UNIQUE,
  event text NOT NULL,
  claims text NOT NULL,
  PRIMARY KEY (known_at, sequence)
);

CREATE TABLE barograph.identity_subjects (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE
);

CREATE TABLE barograph.identity_assertions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject bigint NOT NULL REFERENCES barograph.identity_subjects,
  effective int8range NOT NULL CHECK (NOT isempty(effective)),
  known int8range NOT NULL CHECK (NOT isempty(known)),
  sequence bigint NOT NULL,
  CONSTRAINT identity_assertions_apart EXCLUDE USING gist
    (int8range(subject, subject, '[]') WITH &&, effective WITH &&, known WITH &&)
);
CREATE INDEX ON barograph.identity_assertions (subject) WHERE upper_inf(known);

CREATE FUNCTION barograph.claim_identity(
  claimed_subject text, claimed int8range, claim_holds boolean, claimed_from bigint, claiming bigint
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  number bigint;
  hit record;
  rest int8range;
BEGIN
  INSERT INTO barograph.identity_subjects (name) VALUES (claimed_subject) ON CONFLICT DO NOTHING;
  SELECT s.id INTO number FROM barograph.identity_subjects s WHERE s.name = claimed_subject;
  FOR hit IN SELECT * FROM barograph.identity_assertions a
    WHERE a.subject = number AND upper_inf(a.known) AND a.effective && claimed
  LOOP
    UPDATE barograph.identity_assertions a SET known = int8range(lower(a.known), claimed_from) WHERE a.id = hit.id;
    FOREACH rest IN ARRAY ARRAY[
      hit.effective * int8range(NULL, lower(claimed)), hit.effective * int8range(upper(claimed), NULL)]
    LOOP
      -- A claim without an end leaves nothing behind it.
      IF NOT isempty(rest) AND NOT rest && claimed THEN
        INSERT INTO barograph.identity_assertions (subject, effective, known, sequence)
        VALUES (number, rest, int8range(claimed_from, NULL), hit.sequence);
      END IF;
    END LOOP;
  END LOOP;
  IF claim_holds THEN
    INSERT INTO barograph.identity_assertions (subject, effective, known, sequence)
    VALUES (number, claimed, int8range(claimed_from, NULL), claiming);
  END IF;
END $$;
`;

export const IDENTITIES: FactTable<'identity'> = {
  table: 'identities',
  columns: [
    ['id', 'text'],
    ['event', 'text'],
    ['claims', 'text'],
  ],
  cells: ({ id, event, claims }) => [id, event, JSON.stringify(claims)],
  body: (row) => ({
    kind: 'identity',
    id: row['id'] as string,
    event: row['event'] as string,
    claims: JSON.parse(row['claims'] as string) as Claim[],
  }),
  key: [['id', 'text']],
  keyCells: ({ body }) => [body.id],
};

/** In the order of the events, in the transaction that stores them: what overlaps fails the whole batch. */
export async function assertIdentities(sql: Sql, facts: readonly Fact[]): Promise<void> {
  const claims = facts.flatMap(({ body, knownAt, sequence }) =>
    body.kind === 'identity'
      ? body.claims.map(({ subject, from, to, holds }) => ({ subject, from, to, holds, knownAt, sequence }))
      : [],
  );
  if (claims.length === 0) return;
  const placed = claims.map((claim, place) => ({ ...claim, place }));
  await run(
    sql,
    `SELECT count(barograph.claim_identity(subject, int8range("from", "to"), holds, "knownAt", sequence))
     FROM (SELECT * FROM jsonb_to_recordset($1::text::jsonb) claim
       (subject text, "from" int8, "to" int8, holds boolean, "knownAt" int8, sequence int8, place int4)
       ORDER BY place) claims`,
    [JSON.stringify(placed)],
  );
}
