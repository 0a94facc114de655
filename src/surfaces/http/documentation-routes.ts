// The OpenAPI document and the two pages that show it.

import { llmsText } from '../docs/llms.js';
import { type Documented, openApiDocument } from '../docs/openapi.js';
import { PAGE_POLICY, redocPage, scalarPage } from '../docs/pages.js';
import { vendoredBundle } from '../docs/vendored-bundles.js';
import { reply } from './reply.js';
import { fixedRoute, type ServiceRoute } from './service-route.js';

const GZIP = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0{0,3})?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i;

function scriptRoute(file: string): ServiceRoute {
  const bundle = vendoredBundle(file);
  const content = {
    type: 'text/javascript; charset=utf-8',
    cacheControl: 'public, max-age=31536000, immutable',
  };
  return {
    methods: ['GET'],
    path: `/docs/assets/${bundle.hash}/${file.replace(/\.gz$/, '')}`,
    answer({ incoming }) {
      const gzip = GZIP.test(String(incoming.headers['accept-encoding'] ?? ''));
      return gzip
        ? reply({
            ...content,
            body: bundle.gzipped,
            headers: ['Content-Encoding', 'gzip', 'Vary', 'Accept-Encoding'],
          })
        : reply({ ...content, body: bundle.plain(), headers: ['Vary', 'Accept-Encoding'] });
    },
  };
}

export function documentationRoutes(documented: Documented): ServiceRoute[] {
  const scalar = scriptRoute('scalar.js.gz');
  const redoc = scriptRoute('redoc.js.gz');
  const html = {
    type: 'text/html; charset=utf-8',
    contentSecurityPolicy: PAGE_POLICY,
    cacheControl: 'no-cache',
  };
  return [
    fixedRoute('/openapi.json', {
      body: JSON.stringify(openApiDocument(documented)),
      cacheControl: 'no-cache',
    }),
    fixedRoute('/llms.txt', {
      body: llmsText(documented),
      type: 'text/plain; charset=utf-8',
      cacheControl: 'no-cache',
    }),
    fixedRoute('/docs', { ...html, body: scalarPage(scalar.path) }),
    fixedRoute('/redoc', { ...html, body: redocPage(redoc.path) }),
    scalar,
    redoc,
  ];
}
