// Markdown is for those who ask for it; JSON is for everybody else.
import { expect, it } from 'vitest';
import { prefersMarkdown } from './accepted-form.js';

it.each([
  ['text/markdown', true],
  ['Text/Markdown; charset=utf-8', true],
  ['text/markdown, application/json;q=0.9', true],
  ['application/json;q=0.5, text/markdown;q=0.8', true],
  ['text/markdown, text/html;q=0.9, */*', true],
  ['*/*, text/markdown', true],
  ['text/*', true],
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['application/json, text/markdown', false],
  ['application/json, text/markdown;q=0.9', false],
  ['text/markdown;q=0, */*', false],
  ['text/markdown;q=nonsense', false],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
] as const)('%s: %s', (accept, isPage) => {
  expect(prefersMarkdown(accept)).toBe(isPage);
});
