import { describe, expect, it } from 'vitest';
import { makeKey } from './key-text.js';
import { keyProtocol, readOffer, SNAPSHOT_PROTOCOL } from './websocket-key.js';

const KEY = makeKey('live').text;
const OFFER = keyProtocol(KEY);

describe('the offered subprotocols', () => {
  it.each([
    ['snapshot first', `${SNAPSHOT_PROTOCOL}, ${OFFER}`],
    ['key first', `${OFFER}, ${SNAPSHOT_PROTOCOL}`],
    ['without spaces', `${OFFER},${SNAPSHOT_PROTOCOL}`],
  ])('carry the key: %s', (_what, header) => {
    expect(readOffer(header)).toEqual({ key: KEY });
  });

  it('carries any text in UTF-8', () => {
    expect(readOffer(`${SNAPSHOT_PROTOCOL}, ${keyProtocol('schlüssel?>')}`)).toEqual({ key: 'schlüssel?>' });
  });

  it.each<[string, string | undefined, string]>([
    ['no protocol', undefined, 'no_snapshot_protocol'],
    ['an empty header', '', 'no_snapshot_protocol'],
    ['snapshot only', SNAPSHOT_PROTOCOL, 'no_key_protocol'],
    ['key only', OFFER, 'no_snapshot_protocol'],
    ['two keys', `${SNAPSHOT_PROTOCOL}, ${OFFER}, ${OFFER}`, 'several_key_protocols'],
    ['snapshot twice', `${SNAPSHOT_PROTOCOL}, ${SNAPSHOT_PROTOCOL}, ${OFFER}`, 'other_protocols'],
    ['a third protocol', `${SNAPSHOT_PROTOCOL}, chat, ${OFFER}`, 'other_protocols'],
    ['an empty item', `${SNAPSHOT_PROTOCOL}, , ${OFFER}`, 'other_protocols'],
    ['another case', `${SNAPSHOT_PROTOCOL.toUpperCase()}, ${OFFER}`, 'no_snapshot_protocol'],
    ['another prefix', `${SNAPSHOT_PROTOCOL}, other.key.a2V5`, 'no_key_protocol'],
    ['no key after the prefix', `${SNAPSHOT_PROTOCOL}, barograph.key.`, 'key_encoding'],
    ['padding', `${SNAPSHOT_PROTOCOL}, barograph.key.a2V5cw==`, 'key_encoding'],
    ['stray bits in the last character', `${SNAPSHOT_PROTOCOL}, barograph.key.a2V5cx`, 'key_encoding'],
    ['the other alphabet', `${SNAPSHOT_PROTOCOL}, barograph.key.Pz8+`, 'key_encoding'],
    ['characters of no alphabet', `${SNAPSHOT_PROTOCOL}, barograph.key.a2V5.cw`, 'key_encoding'],
    ['bytes that are no UTF-8', `${SNAPSHOT_PROTOCOL}, barograph.key._w`, 'key_encoding'],
    ['more than 1 KB', `${SNAPSHOT_PROTOCOL}, ${keyProtocol('x'.repeat(800))}`, 'too_long'],
  ])('are refused: %s', (_what, header, fault) => {
    expect(readOffer(header)).toEqual({ fault });
  });
});
