// The receipt of a packet: beside the edition's own, which vintages its drivers rest on and one fingerprint over all readings.
import type { MacroReceipt } from '../../contracts/macro/receipt.js';
import type { MacroFrame } from '../../domain/macro/macro-frame.js';
import { fingerprint } from '../../kernel/fingerprint.js';
import type { Answering } from './editions.js';
import { instantText, receiptOf } from './provenance.js';

/** Over what was read of every index: the day, when it was known, of which vintage, and the value. */
export function inputsFingerprint({ indexes }: Pick<MacroFrame, 'indexes'>): string {
  return fingerprint(
    indexes.map(({ symbol, observedOn, knownAt, vintage, value }) => [
      symbol,
      observedOn,
      instantText(knownAt),
      vintage,
      value,
    ]),
  );
}

/** `shown`: symbols of the drivers in the packet. */
export function packetReceipt(answering: Answering, shown: ReadonlySet<string>): MacroReceipt {
  const { frame } = answering.held;
  return {
    ...receiptOf(answering),
    inputs_sha256: inputsFingerprint(frame),
    vintages: frame.indexes
      .filter(({ symbol }) => shown.has(symbol))
      .map(({ symbol, observedOn, knownAt, vintage }) => ({
        index_symbol: symbol,
        observed_on: observedOn,
        known_at: instantText(knownAt),
        vintage,
      })),
  };
}
