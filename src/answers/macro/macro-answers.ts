// Surface B's half of the read side: the newest edition in memory, the desk for everything else, one answer per operation.
import type { Clock, Instant } from '../../kernel/instant.js';
import type { ArchiveReader } from '../../ports/archive.js';
import type { Bus } from '../../ports/bus.js';
import type { EventCursors } from '../event-cursor.js';
import type { Evidence } from '../evidence/evidence.js';
import { briefingAnswer } from './briefing-answer.js';
import { Briefings } from './briefings.js';
import { changesAnswer } from './changes-answer.js';
import { detailAnswer } from './detail-answer.js';
import { Editions } from './editions.js';
import { LiveMacro } from './live-macro.js';
import { localMacroDesk } from './local-desk.js';
import type { MacroDesk } from './macro-desk.js';
import { packetAnswer } from './packet-answer.js';
import { pulseAnswer } from './pulse-answer.js';
import { regimeAnswer } from './regime-answer.js';
import { StatedEditions } from './stated-editions.js';
import { structureAnswers } from './structure.js';
import { toolManifest } from './tool-manifest.js';
import { tradeAnswer } from './trade-answer.js';

export interface MacroParts {
  readonly archive: ArchiveReader;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly cursors: EventCursors;
  readonly evidence: Evidence;
  readonly instantOf: (asOf: string) => Promise<Instant>;
  /** In this thread when absent. */
  readonly desk?: MacroDesk | undefined;
}

export type MacroSide = Awaited<ReturnType<typeof openMacroSide>>;

export async function openMacroSide(given: MacroParts) {
  const { archive, bus, clock, cursors, evidence, instantOf, ...parts } = given;
  const desk = parts.desk ?? localMacroDesk(archive, clock);
  const stated = new StatedEditions(archive);
  const live = await LiveMacro.open(stated, bus);
  const editions = new Editions({ live, stated, desk, clock, instantOf });
  const briefings = new Briefings(editions);
  const manifest = toolManifest();
  return {
    live,
    stated,
    answers: {
      ...structureAnswers(editions, evidence),
      agent_briefing: briefingAnswer(editions, briefings),
      openai_tools: async () => manifest,
      get_market_regime: regimeAnswer(editions),
      check_trade: tradeAnswer(editions),
      get_index_detail: detailAnswer(editions),
      get_signal_changes: changesAnswer({ editions, cursors, clock, instantOf }),
      get_market_pulse: pulseAnswer(editions, briefings),
      get_decision_packet: packetAnswer(editions),
    },
    async close() {
      await live.close();
      await desk.close();
    },
  };
}
