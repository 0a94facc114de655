// Every connector by name: what BAROGRAPH_SOURCES can name.
import type { Connector } from '../ports/connector.js';
import { fixtureConnector } from './fixture/fixture-connector.js';

export interface ConnectorSettings {
  readonly fixtureSeed: number;
}

const MAKERS = {
  fixture: ({ fixtureSeed }: ConnectorSettings): Connector =>
    fixtureConnector({ seed: fixtureSeed, ledgerDays: 25 }) as Connector,
} as const;

export type ConnectorName = keyof typeof MAKERS;
export const CONNECTOR_NAMES = Object.keys(MAKERS) as [ConnectorName, ...ConnectorName[]];

export function makeConnectors(names: readonly ConnectorName[], settings: ConnectorSettings): Connector[] {
  return names.map((name) => MAKERS[name](settings));
}
