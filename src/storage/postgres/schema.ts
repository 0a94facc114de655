// The tables of the archive, one text for each version of the schema; a text that was released is never changed.
import { EMISSION_TYPES } from './emissions.js';
import { IDENTITY_TABLES } from './identity-tables.js';

/**
 * Posts, mentions and counts grow with time and are partitioned by month of `known_at`. The other kinds are small and
 * asked by their natural key, which a partitioned table would have to look for in every month.
 * A slot stands for its ticker, a small number for the name of a source or provider.
 */
const FIRST = `
CREATE SCHEMA IF NOT EXISTS barograph;
CREATE TABLE barograph.schema_version (version integer NOT NULL);
INSERT INTO barograph.schema_version VALUES (0);

CREATE TABLE barograph.archive_state (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  sequence bigint NOT NULL DEFAULT 0,
  live_at bigint,
  first_known_at bigint,
  last_known_at bigint,
  last_denominator bigint NOT NULL DEFAULT 0,
  -- Grows with every recorder; a recorder that finds another number has been replaced.
  epoch bigint NOT NULL DEFAULT 0,
  -- Months before this one have no partition of their own. Set once, so that no month ever changes sides.
  first_month integer
);
INSERT INTO barograph.archive_state DEFAULT VALUES;

CREATE TABLE barograph.sources (id smallint PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE);
CREATE TABLE barograph.slots (slot integer PRIMARY KEY, ticker text COLLATE "C" NOT NULL UNIQUE);
CREATE TABLE barograph.cursors (connector text COLLATE "C" PRIMARY KEY, value text NOT NULL);

-- A partitioned table can only be unique within a month; this one keeps a post unique for ever.
CREATE TABLE barograph.post_keys (
  provider smallint NOT NULL,
  id text COLLATE "C" NOT NULL,
  PRIMARY KEY (provider, id)
);

CREATE TABLE barograph.posts (
  sequence bigint NOT NULL,
  known_at bigint NOT NULL,
  effective_at bigint NOT NULL,
  author bigint NOT NULL,
  narrative bigint NOT NULL,
  author_created_at bigint,
  followers bigint,
  likes bigint,
  reposts bigint,
  replies bigint,
  source smallint NOT NULL,
  provider smallint NOT NULL,
  backfilled boolean NOT NULL,
  provider_tags boolean NOT NULL,
  finance_context boolean NOT NULL,
  id text COLLATE "C" NOT NULL,
  lang text COLLATE "C",
  mentions bytea NOT NULL,
  objects bytea NOT NULL,
  shingles bytea NOT NULL,
  excerpt text NOT NULL,
  PRIMARY KEY (known_at, sequence)
) PARTITION BY RANGE (known_at);
CREATE INDEX ON barograph.posts (source, known_at);
CREATE TABLE barograph.posts_other PARTITION OF barograph.posts DEFAULT;

CREATE TABLE barograph.post_mentions (
  known_at bigint NOT NULL,
  sequence bigint NOT NULL,
  slot integer NOT NULL,
  source smallint NOT NULL,
  PRIMARY KEY (slot, known_at, sequence)
) PARTITION BY RANGE (known_at);
CREATE INDEX ON barograph.post_mentions (known_at);
CREATE TABLE barograph.post_mentions_other PARTITION OF barograph.post_mentions DEFAULT;

CREATE TABLE barograph.counts (
  sequence bigint NOT NULL,
  known_at bigint NOT NULL,
  effective_at bigint NOT NULL,
  bucket_start bigint NOT NULL,
  bucket_seconds bigint NOT NULL,
  posts bigint NOT NULL,
  authors bigint,
  slot integer NOT NULL,
  source smallint NOT NULL,
  backfilled boolean NOT NULL,
  PRIMARY KEY (known_at, sequence)
) PARTITION BY RANGE (known_at);
CREATE INDEX ON barograph.counts (source, known_at);
CREATE INDEX ON barograph.counts (slot, bucket_start, source, bucket_seconds);
CREATE TABLE barograph.counts_other PARTITION OF barograph.counts DEFAULT;

CREATE TABLE barograph.post_changes (
  sequence bigint NOT NULL,
  known_at bigint NOT NULL,
  effective_at bigint NOT NULL,
  source smallint NOT NULL,
  provider smallint NOT NULL,
  backfilled boolean NOT NULL,
  change text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  excerpt text,
  PRIMARY KEY (known_at, sequence)
);
CREATE INDEX ON barograph.post_changes (provider, id, change);

CREATE TABLE barograph.assets (
  sequence bigint NOT NULL,
  known_at bigint NOT NULL,
  effective_at bigint NOT NULL,
  slot integer NOT NULL,
  source smallint NOT NULL,
  backfilled boolean NOT NULL,
  name text NOT NULL,
  sector text,
  asset_kind text NOT NULL,
  PRIMARY KEY (known_at, sequence)
);
CREATE INDEX ON barograph.assets (slot);

-- Days are counted from 1970-01-01.
CREATE TABLE barograph.prices (
  sequence bigint NOT NULL,
  known_at bigint NOT NULL,
  effective_at bigint NOT NULL,
  open double precision NOT NULL,
  high double precision NOT NULL,
  low double precision NOT NULL,
  close double precision NOT NULL,
  volume double precision NOT NULL,
  slot integer NOT NULL,
  day integer NOT NULL,
  source smallint NOT NULL,
  backfilled boolean NOT NULL,
  PRIMARY KEY (known_at, sequence)
);
CREATE INDEX ON barograph.prices (slot, day);

CREATE TABLE barograph.shares (
  sequence bigint NOT NULL,
  known_at bigint NOT NULL,
  effective_at bigint NOT NULL,
  shares double precision NOT NULL,
  slot integer NOT NULL,
  source smallint NOT NULL,
  backfilled boolean NOT NULL,
  basis text COLLATE "C" NOT NULL,
  PRIMARY KEY (known_at, sequence)
);
CREATE INDEX ON barograph.shares (slot, effective_at, source);

CREATE TABLE barograph.splits (
  sequence bigint NOT NULL,
  known_at bigint NOT NULL,
  effective_at bigint NOT NULL,
  ratio double precision NOT NULL,
  slot integer NOT NULL,
  source smallint NOT NULL,
  backfilled boolean NOT NULL,
  PRIMARY KEY (known_at, sequence)
);
CREATE INDEX ON barograph.splits (slot, effective_at);

CREATE TABLE barograph.series (
  sequence bigint NOT NULL,
  known_at bigint NOT NULL,
  effective_at bigint NOT NULL,
  value double precision NOT NULL,
  day integer NOT NULL,
  source smallint NOT NULL,
  backfilled boolean NOT NULL,
  series text COLLATE "C" NOT NULL,
  PRIMARY KEY (known_at, sequence)
);
CREATE INDEX ON barograph.series (series, day);

CREATE TABLE barograph.frames (
  at bigint PRIMARY KEY,
  sequence bigint NOT NULL,
  known_at bigint NOT NULL,
  high_water bigint NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  header text NOT NULL
);

-- A page is stored for a frame in which it changed; its rows hold until its next version.
CREATE TABLE barograph.tape_pages (
  frame bigint NOT NULL,
  key_frame bigint NOT NULL,
  page integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (page, frame)
);
ALTER TABLE barograph.tape_pages ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE barograph.emissions (
  sequence bigint PRIMARY KEY,
  known_at bigint NOT NULL,
  at bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  ticker text COLLATE "C",
  body text NOT NULL
);
CREATE INDEX ON barograph.emissions (kind, sequence);
CREATE INDEX ON barograph.emissions (kind, ticker, sequence) WHERE ticker IS NOT NULL;

CREATE TABLE barograph.denominators (
  ref bigint PRIMARY KEY,
  usd_billions double precision,
  shares double precision,
  shares_known_at bigint,
  close double precision,
  state smallint NOT NULL,
  shares_source text,
  close_date text
);
`;

/** What customers save; not part of the tape. */
const WATCHLISTS = `
CREATE TABLE barograph.watchlists (
  customer text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text,
  tickers text NOT NULL,
  saved_at bigint NOT NULL,
  PRIMARY KEY (customer, id)
);
`;

/**
 * The indices hold all that a query filters by, so that only what is given out is read from the table. A node of the
 * tree is found under level * 2^47 + index; the leaves' own hashes are level 0. What is compressed already, or random,
 * is not compressed again.
 */
const LOG = `
CREATE TABLE barograph.leaves (
  place bigint PRIMARY KEY,
  sequence bigint NOT NULL,
  known_at bigint NOT NULL,
  at bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  subject text COLLATE "C",
  body text NOT NULL,
  attachment_sha256 text COLLATE "C"
);
CREATE INDEX ON barograph.leaves (known_at, place);
CREATE INDEX ON barograph.leaves (kind, place, at);
CREATE INDEX ON barograph.leaves (kind, at, place);
CREATE INDEX ON barograph.leaves (kind, subject, place, at) WHERE subject IS NOT NULL;

CREATE TABLE barograph.leaf_attachments (
  place bigint PRIMARY KEY,
  deflated boolean NOT NULL,
  bytes bytea NOT NULL
);
ALTER TABLE barograph.leaf_attachments ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE barograph.tree_nodes (place bigint PRIMARY KEY, hash bytea NOT NULL);
`;

export const SCHEMA_VERSIONS: readonly string[] = [FIRST, WATCHLISTS, LOG, IDENTITY_TABLES, EMISSION_TYPES];

/** The tables that have one partition for each month. */
export const MONTHLY_TABLES = ['posts', 'post_mentions', 'counts'] as const;
