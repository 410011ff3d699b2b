// Which clients a test is made in: a preset, or the reader's own choice; the last one is remembered.
import type { EmailClient } from '../../ground/api.ts';
import { byFamily } from '../proof/family-order.ts';

type Clients = Record<string, EmailClient>;

export const PRESETS = {
  default: { label: 'Default', includes: (client: EmailClient) => client.default },
  all: { label: 'All', includes: () => true },
  light: { label: 'Light', includes: (client: EmailClient) => client.color_scheme === 'light' },
  dark: { label: 'Dark', includes: (client: EmailClient) => client.color_scheme === 'dark' },
  desktop: { label: 'Desktop', includes: (client: EmailClient) => client.category === 'Application' },
  web: { label: 'Webmail', includes: (client: EmailClient) => client.category === 'Web' },
  mobile: { label: 'Mobile', includes: (client: EmailClient) => client.category === 'Mobile' },
} as const;

export type Preset = keyof typeof PRESETS;

export interface Choice {
  preset: Preset | 'custom';
  /** Meant for `custom` only. */
  ids: string[];
}

export const DEFAULT_CHOICE: Choice = { preset: 'default', ids: [] };

export function presetIds(clients: Clients, preset: Preset): string[] {
  return Object.values(clients)
    .filter(PRESETS[preset].includes)
    .map((client) => client.id);
}

/** The clients of a choice that still exist. */
export function chosenIds(clients: Clients, choice: Choice): string[] {
  if (choice.preset !== 'custom') return presetIds(clients, choice.preset);
  return choice.ids.filter((id) => clients[id]);
}

/** A custom choice that equals a preset is that preset. */
export function choiceOf(clients: Clients, ids: Iterable<string>): Choice {
  const wanted = new Set(ids);
  const preset = (Object.keys(PRESETS) as Preset[]).find((name) => {
    const members = presetIds(clients, name);
    return members.length === wanted.size && members.every((id) => wanted.has(id));
  });
  return { preset: preset ?? 'custom', ids: preset ? [] : [...wanted] };
}

export interface Family {
  name: string;
  members: EmailClient[];
}

/** Clients by family that match every word of the search. */
export function families(clients: Clients, search: string): Family[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (client: EmailClient): boolean => {
    const text = `${client.display_name} ${client.family} ${client.os} ${client.browser} ${client.id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const found = Object.values(clients)
    .filter(fits)
    .map((client) => ({ client, family: client.family, name: client.display_name }))
    .sort(byFamily);
  return [...Map.groupBy(found, (entry) => entry.family)].map(([name, entries]) => ({
    name,
    members: entries.map((entry) => entry.client),
  }));
}
