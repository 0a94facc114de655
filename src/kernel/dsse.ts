// DSSE pre-authentication encoding: the bytes an envelope signature covers, payload and type bound together.

/** `DSSEv1`, then the UTF-8 type and the payload, each preceded by its length in bytes. */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}
