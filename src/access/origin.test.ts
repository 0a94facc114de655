import { describe, expect, it } from 'vitest';
import { isOrigin, isOriginAllowed } from './origin.js';

describe('an exact origin', () => {
  it.each<[string, boolean]>([
    ['https://app.example', true],
    ['http://localhost:5173', true],
    ['https://app.example:8443', true],
    ['http://[::1]:3000', true],
    ['*', false],
    ['https://*.example', false],
    ['null', false],
    ['', false],
    ['app.example', false],
    ['https://app.example/', false],
    ['https://app.example/page', false],
    ['https://APP.example', false],
    ['https://app.example:443', false],
    ['https://user@app.example', false],
    ['file://', false],
    ['ws://app.example', false],
  ])('%s: %s', (text, is) => {
    expect(isOrigin(text)).toBe(is);
  });
});

describe('the origin', () => {
  const allowed = ['https://pages.example'];
  it.each<[string, string | undefined, string | undefined, boolean]>([
    ['none', undefined, 'api.example', true],
    ['the same host', 'https://api.example', 'api.example', true],
    ['the same host and port', 'http://127.0.0.1:8700', '127.0.0.1:8700', true],
    ['the usual port left out', 'http://api.example', 'api.example:80', true],
    ['a listed page', 'https://pages.example', 'api.example', true],
    ['a listed host with another scheme', 'http://pages.example', 'api.example', false],
    ['a foreign page', 'https://evil.example', 'api.example', false],
    ['another port', 'http://127.0.0.1:9999', '127.0.0.1:8700', false],
    ['a sandboxed page', 'null', 'api.example', false],
    ['a file', 'file://', 'api.example', false],
    ['an empty origin', '', 'api.example', false],
    ['rubbish', 'what', 'api.example', false],
    ['a host that only begins the same', 'https://api.example.evil.example', 'api.example', false],
    ['a page of ours in the user part', 'https://api.example@evil.example', 'api.example', false],
    ['no host to compare with', 'https://api.example', undefined, false],
  ])('%s', (_what, origin, host, isAllowed) => {
    expect(isOriginAllowed(origin, host, allowed)).toBe(isAllowed);
  });
});
