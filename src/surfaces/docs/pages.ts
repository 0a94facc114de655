// The two documentation pages as HTML: one bundle each, no inline script, no other host.

/** Both bundles write style elements; Redoc searches in a worker made from a blob. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function escapedAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('<', '&lt;');
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>body { margin: 0 }</style>
</head>
<body>
<noscript>This page needs JavaScript. The same document for machines: <a href="/openapi.json">/openapi.json</a></noscript>
${content}
</body>
</html>
`;
}

/** Everything that would leave this host, or advertise, is off. */
const SCALAR = {
  url: '/openapi.json',
  // Whatever name the page was opened under: requests to another one would not be allowed to leave.
  servers: [{ url: '/', description: 'This server' }],
  proxyUrl: '',
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
};

export function scalarPage(script: string): string {
  const configuration = escapedAttribute(JSON.stringify(SCALAR));
  return page(
    'Barograph API',
    `<script id="api-reference" data-configuration='${configuration}'></script>\n<script src="${script}"></script>`,
  );
}

export function redocPage(script: string): string {
  return page(
    'Barograph API reference',
    `<redoc spec-url="/openapi.json"></redoc>\n<script src="${script}"></script>`,
  );
}
