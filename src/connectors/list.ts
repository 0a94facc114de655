// Every connector by name: what BAROGRAPH_SOURCES can name.
import type { Connector } from '../ports/connector.js';
import { economyConnector } from './fixture/economy-connector.js';
import { fixtureConnector } from './fixture/fixture-connector.js';

export interface ConnectorSettings {
  readonly fixtureSeed: number;
}

const MAKERS = {
  fixture: ({ fixtureSeed: seed }: ConnectorSettings): Connector[] => [
    fixtureConnector({ seed, historyDays: 45, ledgerDays: 25 }) as Connector,
    economyConnector({ seed, ledgerDays: 45 + 25 }) as Connector,
  ],
} as const;

export type ConnectorName = keyof typeof MAKERS;
export const CONNECTOR_NAMES = Object.keys(MAKERS) as [ConnectorName, ...ConnectorName[]];

export function makeConnectors(names: readonly ConnectorName[], settings: ConnectorSettings): Connector[] {
  return names.flatMap((name) => MAKERS[name](settings));
}
