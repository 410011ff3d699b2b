// How much of what is published about a client its pictures show: counted by `npm run fidelity` (test/claims), which
// shows every published behavior as a message and measures the picture.

import data from '../../../data/clients/measured.json' with { type: 'json' };
import type { ClientProfile } from './types.ts';

/** Published behaviors of a family of clients, and how many of them its pictures reproduce. */
interface PublishedBehaviors {
  family: string;
  published: number;
  reproduced: number;
  /** The day of the measurement, `YYYY-MM-DD`. */
  measured: string;
}

/** The family that a client's published behaviors are counted in: Outlook is four programs with one name. */
export function behaviorFamilyOf({ family, plugins }: Pick<ClientProfile, 'family' | 'plugins'>): string {
  if (family === 'Yahoo') return 'Yahoo and AOL';
  if (family !== 'Outlook') return family;
  if (plugins.includes('word')) return 'Outlook for Windows (Word)';
  return plugins.includes('outlook-web') ? 'Outlook.com and new Outlook' : 'Outlook apps (iPhone, Android, Mac)';
}

const families: Readonly<Record<string, { claims: number; hits: number }>> = data.families;

/** What was measured for a client's family; undefined for one that nobody has measured. */
export function publishedBehaviorsOf(
  client: Pick<ClientProfile, 'family' | 'plugins'>,
): PublishedBehaviors | undefined {
  const family = behaviorFamilyOf(client);
  const count = Object.hasOwn(families, family) ? families[family] : undefined;
  return count && { family, published: count.claims, reproduced: count.hits, measured: data.date };
}
