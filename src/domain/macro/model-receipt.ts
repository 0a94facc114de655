// Names the model that made a frame: its version, and one fingerprint over every number and row it depends on.
import { fingerprint } from '../../kernel/fingerprint.js';
import { FAMILIES } from './catalogue/families.js';
import { INDEXES } from './catalogue/indexes.js';
import { NARRATIVES } from './catalogue/narratives.js';
import { MARKET_MOVES, SECTORS } from './catalogue/sector-priors.js';
import * as parameters from './parameters.js';

export interface ModelReceipt {
  readonly version: string;
  readonly config: string;
}

let receipt: ModelReceipt | null = null;

export function modelReceipt(): ModelReceipt {
  receipt ??= {
    version: parameters.MACRO_VERSION,
    config: fingerprint({
      parameters: { ...parameters },
      catalogue: { FAMILIES, INDEXES, NARRATIVES, SECTORS, MARKET_MOVES },
    }),
  };
  return receipt;
}
