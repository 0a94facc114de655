// A complete response before it is sent: status, flat list of headers, bytes.

/** Name, value, name, value: the form that Node writes without a copy. */
export type HeaderList = readonly string[];

export function pairs(headers: HeaderList): [name: string, value: string][] {
  return headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1]!]] : []));
}

/** Another reason to vary must not take the place of one that stands already. */
export function withVary(standing: number | string | string[] | undefined, headers: HeaderList): HeaderList {
  if (standing === undefined) return headers;
  return pairs(headers).flatMap(([name, value]) =>
    name.toLowerCase() === 'vary' ? [name, [standing, value].flat().join(', ')] : [name, value],
  );
}

export interface Reply {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Buffer;
}

export const JSON_TYPE = 'application/json; charset=utf-8';
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
/** What is no page may load nothing. */
export const JSON_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** What every response carries, whoever writes it. */
export const SECURITY_HEADERS: HeaderList = [
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Resource-Policy',
  'same-origin',
  'X-Frame-Options',
  'DENY',
];

export const POLICY_HEADERS: HeaderList = [
  'X-Barograph-Policy',
  '/v1/api-scope',
  'Link',
  '</v1/api-scope>; rel="policy"',
];

export interface Content {
  readonly body: string | Buffer;
  readonly type?: string;
  readonly status?: number;
  readonly cacheControl?: string;
  readonly contentSecurityPolicy?: string;
  readonly headers?: HeaderList;
}

export function reply(content: Content): Reply {
  const body = typeof content.body === 'string' ? Buffer.from(content.body) : content.body;
  return {
    status: content.status ?? 200,
    headers: [
      'Content-Type',
      content.type ?? JSON_TYPE,
      'Content-Length',
      String(body.length),
      'Cache-Control',
      content.cacheControl ?? 'no-store',
      'Content-Security-Policy',
      content.contentSecurityPolicy ?? JSON_POLICY,
      ...SECURITY_HEADERS,
      ...(content.headers ?? []),
    ],
    body,
  };
}
