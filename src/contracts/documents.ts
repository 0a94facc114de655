// Routes that answer no operation but belong to the service: its documentation, its liveness and its metrics.

export interface DocumentRoute {
  readonly path: `/${string}`;
  readonly name: string;
  readonly summary: string;
  readonly mediaType: string;
  /** For integrators; the others are for whoever runs the service. */
  readonly inScope: boolean;
}

export const DOCUMENT_GROUP = 'contract, trust, service';

export const DOCUMENT_ROUTES: readonly DocumentRoute[] = [
  {
    path: '/openapi.json',
    name: 'openapi_document',
    summary: 'This document',
    mediaType: 'application/json',
    inScope: true,
  },
  {
    path: '/docs',
    name: 'docs_page',
    summary: 'Interactive documentation',
    mediaType: 'text/html',
    inScope: true,
  },
  {
    path: '/redoc',
    name: 'redoc_page',
    summary: 'Documentation to read',
    mediaType: 'text/html',
    inScope: true,
  },
  {
    path: '/llms.txt',
    name: 'llms_text',
    summary: 'What the service offers, for language models',
    mediaType: 'text/plain',
    inScope: false,
  },
  {
    path: '/livez',
    name: 'liveness',
    summary: 'Answers 200 as long as the process does, whatever the stores behind it do',
    mediaType: 'text/plain',
    inScope: false,
  },
  {
    path: '/metrics',
    name: 'metrics',
    summary: 'Metrics of this process for Prometheus',
    mediaType: 'text/plain',
    inScope: false,
  },
];
