// The tables of the transparency log in the archive file.

/**
 * `leaf_kind` and `leaf_at` hold all that a query filters by, so that only what is given out is read from the table.
 * A node of the tree is found under level * 2^47 + index; the leaves' own hashes are level 0.
 */
export const LOG_TABLES = `
CREATE TABLE leaf(place INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, known_at INTEGER NOT NULL, at INTEGER NOT NULL,
  kind TEXT NOT NULL, subject TEXT, body TEXT NOT NULL, attachment_sha256 TEXT) STRICT;
CREATE INDEX leaf_known ON leaf(known_at);
CREATE INDEX leaf_kind ON leaf(kind, place, at);
CREATE INDEX leaf_at ON leaf(kind, at, place);
CREATE INDEX leaf_subject ON leaf(kind, subject, place, at) WHERE subject IS NOT NULL;
CREATE TABLE leaf_attachment(place INTEGER PRIMARY KEY REFERENCES leaf, deflated INTEGER NOT NULL,
  bytes BLOB NOT NULL) STRICT;
CREATE TABLE tree_node(place INTEGER PRIMARY KEY, hash BLOB NOT NULL) STRICT;
`;
