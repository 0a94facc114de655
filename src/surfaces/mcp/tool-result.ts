// What a call of a tool comes to: a value with its receipt, or a failure, as object and as bytes for the wire.
import type { CallToolResult } from '@modelcontextprotocol/server';
import { envelopeOf, type Failure } from '../../contracts/failures.js';

/** Written once, however often it is sent: a kept result is asked for again and again. */
export class ToolResult {
  readonly object: CallToolResult;
  /** The members of the result as JSON, without the braces around them. */
  readonly members: string;
  readonly failure: Failure | null;

  private constructor(object: CallToolResult, members: string, failure: Failure | null) {
    this.object = object;
    this.members = members;
    this.failure = failure;
  }

  get size(): number {
    return this.members.length;
  }

  /** The text is the same JSON, for clients that show only text to their model. */
  static of(structuredContent: Record<string, unknown>): ToolResult {
    const text = JSON.stringify(structuredContent);
    return new ToolResult(
      { content: [{ type: 'text', text }], structuredContent },
      `"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text}`,
      null,
    );
  }

  /** The model reads the envelope and can mend its call; a structured content would have to be a value. */
  static refused(failure: Failure, requestId: string): ToolResult {
    const text = JSON.stringify(envelopeOf(failure, requestId));
    return new ToolResult(
      { content: [{ type: 'text', text }], isError: true },
      `"content":[{"type":"text","text":${JSON.stringify(text)}}],"isError":true`,
      failure,
    );
  }
}
