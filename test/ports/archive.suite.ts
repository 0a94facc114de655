// The promises of the archive port, asked of every store in the same words.
import { archiveAsOfSuite } from './archive-as-of.suite.js';
import { archiveChangesSuite } from './archive-changes.suite.js';
import { archiveEmissionsSuite } from './archive-emissions.suite.js';
import { archiveFactsSuite } from './archive-facts.suite.js';
import { archiveKnowledgeSuite } from './archive-knowledge.suite.js';
import { archiveLogSuite } from './archive-log.suite.js';
import { archiveRecorderSuite } from './archive-recorder.suite.js';
import { archiveTapeSuite } from './archive-tape.suite.js';
import type { OpenStore } from './with-archive.js';

/** `openStore` gives an empty store that reads the clock it is handed. */
export function archiveSuite(name: string, openStore: OpenStore): void {
  archiveFactsSuite(name, openStore);
  archiveKnowledgeSuite(name, openStore);
  archiveAsOfSuite(name, openStore);
  archiveTapeSuite(name, openStore);
  archiveChangesSuite(name, openStore);
  archiveEmissionsSuite(name, openStore);
  archiveLogSuite(name, openStore);
  archiveRecorderSuite(name, openStore);
}
