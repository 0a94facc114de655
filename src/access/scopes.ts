// The closed list of what a key can be allowed to do, one meaning each.

export const SCOPES = {
  'signals:read': 'Read the feed of signal events.',
  'stream:read': 'Open live streams of the leaderboard.',
  'watchlists:read': 'Read the watchlists of the customer.',
  'watchlists:write': 'Create and replace the watchlists of the customer.',
  'realness:verdict': 'See the verdict of the veto gate, which is withheld from everybody else.',
  // Every valid key may do this; the scope exists so that a key can be made that may do nothing else.
  'usage:read': 'Read the standing of the key itself.',
} as const satisfies Record<`${string}:${string}`, string>;

export type Scope = keyof typeof SCOPES;
export const SCOPE_NAMES = Object.keys(SCOPES) as readonly Scope[];

export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text);
}
