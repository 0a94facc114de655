// The front page and its two assets, under a policy that allows nothing from elsewhere and nothing inline.
import { sha256Hex } from '../../kernel/fingerprint.js';
import { fixedRoute, type ServiceRoute } from '../http/service-route.js';
import { boardMarkup } from './board-markup.js';
import { BOARD_SCRIPT } from './board-script.js';
import { BOARD_STYLE } from './board-style.js';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The hash in the address changes with the content, so that browsers may keep it for good. */
function asset(name: string, type: string, body: string): ServiceRoute {
  return fixedRoute(`/assets/${sha256Hex(body).slice(0, 16)}/${name}`, {
    body,
    type: `${type}; charset=utf-8`,
    cacheControl: 'public, max-age=31536000, immutable',
  });
}

export function pageRoutes(): ServiceRoute[] {
  const style = asset('board.css', 'text/css', BOARD_STYLE);
  const script = asset('board.js', 'text/javascript', BOARD_SCRIPT);
  const page = fixedRoute('/', {
    body: boardMarkup({ style: style.path, script: script.path }),
    type: 'text/html; charset=utf-8',
    cacheControl: 'no-cache',
    contentSecurityPolicy: POLICY,
  });
  return [page, style, script];
}
