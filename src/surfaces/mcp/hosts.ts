// Which names this server answers to: a page that has its own name point here must not reach it through a browser.
import { parseAddress } from '../../access/address.js';

/** The host without its port; brackets stay around an IPv6 address. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '');
}

/**
 * An address that is not a name cannot be made to point elsewhere. Names are those of this machine, the one it was told
 * to listen on, and those of the listed origins.
 */
export function knownHosts(own: string, origins: readonly string[]): (host: string | undefined) => boolean {
  const names = new Set(['localhost', own.toLowerCase(), ...origins.map((one) => new URL(one).hostname)]);
  return (host) => {
    if (host === undefined) return false;
    const name = nameOf(host);
    return names.has(name) || parseAddress(name.replace(/^\[|\]$/g, '')) !== null;
  };
}
