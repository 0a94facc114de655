// One call of a tool: arguments by its schema, the caller by the guard, the answer of the operation, and a receipt.
import type { StandingOf } from '../../answers/standing.js';
import type { Caller } from '../../contracts/caller.js';
import { Failure } from '../../contracts/failures.js';
import type { Operation } from '../../contracts/operation.js';
import type { ToolReceipt } from '../../contracts/tool-receipt.js';
import { fingerprint } from '../../kernel/fingerprint.js';
import { invalidInput } from '../http/input-faults.js';
import { type InputShape, inputShape } from '../http/input-shape.js';
import { failureOf } from '../http/refusal.js';
import type { CountRefusal } from '../http/refusal-counter.js';
import { KeptResults } from './kept-results.js';
import type { Resource, Tool } from './tool.js';
import { ToolResult } from './tool-result.js';

/** Who asks, as far as this operation is concerned; throws a Failure where they may not. */
export type Admit = (operation: Operation) => Promise<Caller>;

export interface Asker {
  readonly requestId: string;
  readonly admit: Admit;
}

export interface CallParts {
  /** By the name of the operation. */
  readonly answers: Readonly<Record<string, (input: never, caller?: Caller) => Promise<unknown>>>;
  readonly standing: StandingOf;
  readonly version: string;
  /** Sees what is our own fault; the caller is told only that it is. */
  readonly onFault: (error: unknown) => void;
  /** Hears of every refusal. */
  readonly onRefusal?: CountRefusal | undefined;
}

interface Ready {
  readonly tool: Tool;
  readonly shape: InputShape;
  /** The same question has the same answer until the next frame, whoever asks. */
  readonly keeps: boolean;
}

export class ToolCalls {
  readonly #parts: CallParts;
  readonly #ready: ReadonlyMap<string, Ready>;
  readonly #kept = new KeptResults();

  constructor(tools: readonly Tool[], parts: CallParts) {
    this.#parts = parts;
    this.#ready = new Map(tools.map((tool) => [tool.name, readyOf(tool)]));
  }

  has(name: string): boolean {
    return this.#ready.has(name);
  }

  /** Never throws for a known tool: what goes wrong is a result that says so. */
  async call(name: string, given: object, asker: Asker): Promise<ToolResult> {
    const ready = this.#ready.get(name)!;
    try {
      // The guard first, as on every route: whoever may not ask learns nothing from faults of the input.
      const caller = await asker.admit(ready.tool.operations[0]);
      if (!ready.keeps) return await this.#answer(ready, given, caller);
      const key = `${name} ${JSON.stringify(given)}`;
      const kept = this.#kept.find(key);
      if (kept !== undefined) return kept;
      const { generation } = this.#kept;
      const result = await this.#answer(ready, given, caller);
      this.#kept.keep(key, result, generation);
      return result;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.code === 'internal_error') this.#parts.onFault(error);
      this.#parts.onRefusal?.(failure.code);
      return ToolResult.refused(failure, asker.requestId);
    }
  }

  /** The answer of a resource's operation as text; throws like the operation. */
  async read({ operation, text }: Resource, asker: Asker): Promise<string> {
    try {
      const caller = await asker.admit(operation);
      const answer = this.#parts.answers[operation.name];
      if (answer === undefined) throw new Failure('not_found');
      return text(await answer(operation.input.parse({}) as never, caller));
    } catch (error) {
      this.#parts.onRefusal?.(failureOf(error).code);
      throw error;
    }
  }

  /** A new frame is there. */
  forget(): void {
    this.#kept.forget();
  }

  async #answer({ tool, shape }: Ready, given: object, caller: Caller): Promise<ToolResult> {
    const { answers, standing, version } = this.#parts;
    const parsed = tool.input.safeParse(given);
    if (!parsed.success) throw invalidInput(parsed.error.issues, shape, 'query');
    const { operation, input } = tool.ask(parsed.data);
    const answer = answers[operation.name];
    if (answer === undefined) throw new Failure('not_found');
    const answered = await answer(input as never, caller);
    const value = tool.shown === null ? answered : tool.shown.of(answered, parsed.data);
    const receipt: ToolReceipt = {
      schema: 'barograph.tool_receipt.v1',
      tool: tool.name,
      args_fp: fingerprint(parsed.data),
      value_fp: fingerprint(value),
      ...(await standing(value, { surface: operation.surface, definition: tool.definition })),
      code_rev: version,
    };
    return ToolResult.of({ value, receipt });
  }
}

function readyOf(tool: Tool): Ready {
  const keeps = tool.operations.every(
    ({ access, keeps }) => keeps === 'frame' && (access.kind === 'public' || access.kind === 'metered'),
  );
  return { tool, shape: inputShape({ path: '/', input: tool.input }), keeps };
}
