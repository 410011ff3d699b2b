// Default styles of clients, and how they show blocked images: data/clients/appearances.json.

import data from '../../../data/clients/appearances.json' with { type: 'json' };
import type { ClientProfile } from './types.ts';

/** CSS declarations by property name. */
export type Declarations = Readonly<Record<string, string>>;

export interface Appearance {
  page: Declarations;
  body: Declarations;
  /** Declarations by selector; selectors name elements only. */
  rules: Readonly<Record<string, Declarations>>;
  blocked: {
    frame: Declarations;
    icon: 'none' | 'broken' | 'picture' | 'question' | 'red-x';
    alt: 'styled' | 'plain' | 'none';
    notice?: string;
    noticeStyle?: Declarations;
  };
  darkGradients: 'kept' | 'changed';
}

const appearances = data.appearances as unknown as Record<string, Appearance>;

/** What a client without an appearance of its own gets: the engine's styles and a plain box for a blocked image. */
const engineDefaults: Appearance = {
  page: { color: '#000000', 'background-color': '#ffffff' },
  body: {},
  rules: {},
  blocked: { frame: { border: '1px solid #c0c0c0', padding: '1px' }, icon: 'broken', alt: 'styled' },
  darkGradients: 'changed',
};

export function appearanceOf(client: ClientProfile): Appearance {
  const name = client.appearance;
  return name && Object.hasOwn(appearances, name) ? appearances[name]! : engineDefaults;
}

export function appearanceNames(): string[] {
  return Object.keys(appearances);
}
