// Where a PostgreSQL archive lies: the driver gets the full address, people see it without credentials.

export interface Address {
  readonly url: string;
  /** Host, port and database; never the user, the password or the options. */
  readonly location: string;
}

export function parseAddress(url: string): Address {
  // The parser's own error would quote the address, and with it the password.
  if (!URL.canParse(url)) throw new Error('the archive address is not a valid postgres:// URL');
  const { protocol, host, pathname } = new URL(url);
  if (protocol !== 'postgres:' && protocol !== 'postgresql:') {
    throw new Error('the archive address is not a postgres:// URL');
  }
  return { url, location: `postgres://${host}${pathname}` };
}
