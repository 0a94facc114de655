// The advisory locks of an archive; PostgreSQL keeps them apart for each database.

/** The letters BARO: other programs in the same database choose other numbers. */
const FAMILY = 0x4241524f;

/** Held by the one recorder for as long as its session lives. */
export const RECORDER_LOCK = `${FAMILY}, 1`;
/** Held while the tables are made or changed. */
export const SCHEMA_LOCK = `${FAMILY}, 2`;
