// Instruments with their issuers as a packet shows them: looked up and written once, however many baskets hold them.
import type { PendingReason } from '../../contracts/research/identity-words.js';
import type { Row } from './chain.js';
import type { HeldIdentifier, HeldIssuer, HeldSymbol, Holdings, InstrumentFile } from './holdings.js';
import { listText } from './object-text.js';
import { identifierText, symbolText } from './shown-rows.js';
import { type NamedInstrument, namedAt, type Point, rowsAt } from './standing.js';

export interface ShownInstrument {
  readonly instrumentId: string;
  readonly issuerId: string;
  /** The members `instrument` and `issuer`, with what stands between them. */
  readonly pieces: readonly string[];
  /** Who vouches for the instrument and its issuer. */
  readonly sources: readonly (readonly string[])[];
}

export class Instruments {
  readonly #holdings: Holdings;
  readonly #point: Point;
  readonly #shown = new Map<InstrumentFile, ShownInstrument | { readonly missing: PendingReason }>();
  readonly #issuers = new Map<string, string>();
  /** Of all identifiers that were shown. */
  readonly cited = new Set<string>();

  constructor(holdings: Holdings, point: Point) {
    this.#holdings = holdings;
    this.#point = point;
  }

  show(file: InstrumentFile): ShownInstrument | { readonly missing: PendingReason } {
    const shared = file.memberships.size > 1;
    const found = shared ? this.#shown.get(file) : undefined;
    if (found !== undefined) return found;
    const named = namedAt(this.#holdings, file, this.#point);
    const shown = 'missing' in named ? named : this.#instrument(file, named);
    if (shared) this.#shown.set(file, shown);
    return shown;
  }

  symbols(file: InstrumentFile): readonly Row<HeldSymbol>[] {
    return rowsAt(file.symbols.inOrder(), this.#point);
  }

  #instrument(file: InstrumentFile, { row, identifiers, issuer }: NamedInstrument): ShownInstrument {
    const { kind, share_class_label } = row.value;
    const pieces = ['{"display_symbols":['];
    pushList(pieces, this.symbols(file).map(symbolText));
    pieces.push('],"identifiers":[');
    pushList(pieces, this.#identifiers(identifiers));
    const label = JSON.stringify(share_class_label);
    pieces.push(`],"instrument_id":"${file.id}","kind":"${kind}","share_class_label":${label}},"issuer":`);
    pieces.push(this.#issuer(issuer));
    const sources = [row.sources, issuer.sources];
    return { instrumentId: file.id, issuerId: issuer.value.issuer_id, pieces, sources };
  }

  #issuer({ value: { issuer_id, legal_name } }: Row<HeldIssuer>): string {
    const file = this.#holdings.issuers.get(issuer_id)!;
    const shared = file.instruments.size > 1;
    const found = shared ? this.#issuers.get(issuer_id) : undefined;
    if (found !== undefined) return found;
    const identifiers = rowsAt(file.identifiers.inOrder(), this.#point);
    const text = [
      '{"identifiers":',
      listText(this.#identifiers(identifiers)),
      ',"issuer_id":"',
      issuer_id,
      '","legal_name":',
      JSON.stringify(legal_name),
      '}',
    ].join('');
    if (shared) this.#issuers.set(issuer_id, text);
    return text;
  }

  /** They are filed by scheme, and within a scheme by value. */
  #identifiers(rows: readonly Row<HeldIdentifier>[]): readonly string[] {
    for (const { value } of rows) this.cited.add(value.source_ref);
    return rows.map(identifierText);
  }
}

function pushList(pieces: string[], texts: readonly string[]): void {
  for (let i = 0; i < texts.length; i++) {
    if (i > 0) pieces.push(',');
    pieces.push(texts[i]!);
  }
}
