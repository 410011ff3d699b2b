// Audience profiles: which share of the readers uses which client. Data: data/audiences.

import b2bOutlook from '../../../data/audiences/b2b-outlook.json' with { type: 'json' };
import b2c from '../../../data/audiences/b2c.json' with { type: 'json' };
import b2cGermany from '../../../data/audiences/b2c-germany.json' with { type: 'json' };
import equal from '../../../data/audiences/equal.json' with { type: 'json' };
import mobileFirst from '../../../data/audiences/mobile-first.json' with { type: 'json' };
import published from '../../../data/audiences/published-opens-2022-03.json' with { type: 'json' };
import { clientName, clientsOfData, familyOf } from '../caniemail/index.ts';
import type { Client } from './client-loss.ts';

export interface AudienceClient {
  /** `family.platform` of the data, or `family.platform@version`; the newest version without one. */
  client: string;
  /** What it is called here, such as `Outlook for Windows (new)`; by default the data's name. */
  name?: string;
  /** Shares on any scale: they are divided by their sum. */
  share: number;
}

export interface Audience {
  id: string;
  name: string;
  description: string;
  /** `date` is the time that the shares are of. `url` is missing where the shares are this project's own estimate. */
  source: { what: string; url?: string; date: string };
  clients: AudienceClient[];
}

export interface WeightedClient extends Client {
  key: string;
  name: string;
  /** 0 to 1; all of an audience add up to 1. */
  share: number;
}

/** The profiles that come with the service. */
export const audiences: readonly Audience[] = [b2c, published, b2bOutlook, mobileFirst, b2cGermany, equal];

/** The profile used where none is named. */
export const defaultAudience: Audience = b2c;

export function findAudience(id: string): Audience | undefined {
  return audiences.find((audience) => audience.id === id);
}

const CLIENTS_MAX = 500;

/** What is wrong with a profile that somebody wrote, one sentence each; empty when it can be used. */
export function audienceProblems(clients: readonly { client: string; share: number }[]): string[] {
  const known = new Set(clientsOfData().map(({ family, platform }) => `${family}.${platform}`));
  if (!clients.length) return ['An audience needs at least one client.'];
  if (clients.length > CLIENTS_MAX) return [`An audience has at most ${CLIENTS_MAX} clients.`];
  const problems: string[] = [];
  for (const { client, share } of clients) {
    const { family, platform } = readClient(client);
    if (!known.has(`${family}.${platform}`))
      problems.push(`${client} is no client of the data; write family.platform, such as gmail.android.`);
    if (!Number.isFinite(share) || share < 0) problems.push(`The share of ${client} must be a number from 0 up.`);
  }
  if (!problems.length && clients.every(({ share }) => share === 0)) problems.push('The shares add up to nothing.');
  return problems;
}

/** Reads `outlook.windows@2016`. */
export function readClient(text: string): Client {
  const [name = '', version = ''] = text.split('@', 2);
  const dot = name.indexOf('.');
  const family = dot < 0 ? name : name.slice(0, dot);
  return { family: familyOf(family), platform: dot < 0 ? '' : name.slice(dot + 1), version };
}

/** The clients of an audience with their shares of the whole, the largest first. */
export function weightedClients({ clients }: Pick<Audience, 'clients'>): WeightedClient[] {
  const total = clients.reduce((sum, { share }) => sum + share, 0);
  return clients
    .map(({ client, name, share }) => {
      const read = readClient(client);
      return { ...read, key: client, name: name ?? clientName(read), share: total > 0 ? share / total : 0 };
    })
    .sort((a, b) => b.share - a.share);
}
