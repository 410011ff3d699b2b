// Which clients are shown, and which of them show the same.
import type { Result } from '../../ground/api.ts';
import type { ProofClient } from './proof.ts';
import type { ProofSearch } from './proof-search.ts';

/** Every word must occur in the name, the family, the system or the id. */
function matches(client: ProofClient, words: string[]): boolean {
  const text = `${client.name} ${client.family} ${client.place} ${client.result.os} ${client.id}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

export function filterClients(clients: ProofClient[], search: ProofSearch): ProofClient[] {
  const words = (search.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  return clients.filter(
    (client) =>
      (!search.family || search.family.includes(client.family)) &&
      (!search.device || client.device === search.device) &&
      (!search.scheme || client.scheme === search.scheme) &&
      (!search.problems || problemsOf(client).length > 0) &&
      matches(client, words),
  );
}

/** What was measured in the pictures of a client. */
export function problemsOf({ result }: ProofClient): Result['findings'] {
  return result.findings ?? [];
}

/** A text that can't be read loses all who read there, a flaw a part of them. */
const LOST = { error: 1, warning: 0.25 } as const;
/** A client that the audience does not name comes after those of equal gravity that it does. */
const UNKNOWN_SHARE = 0.01;

/** Readers that a client's problems concern: its share of the audience by the gravest problem that it has. */
function readersLost(client: ProofClient): number {
  const severities = problemsOf(client).map(({ severity }) => LOST[severity as keyof typeof LOST] ?? 0);
  return Math.max(0, ...severities) * (client.result.audience_share ?? UNKNOWN_SHARE);
}

/** The clients whose problems concern the most readers first; the others stay as they are. */
export function byReadersLost(clients: readonly ProofClient[]): ProofClient[] {
  return clients.toSorted((one, other) => readersLost(other) - readersLost(one));
}

interface PictureGroup {
  /** The client whose picture stands for the group. */
  first: ProofClient;
  others: ProofClient[];
}

/**
 * Clients whose pictures look the same as one group, the largest first; a client without a picture stands alone, last.
 */
export function groupByPicture(clients: ProofClient[]): PictureGroup[] {
  const groups = Map.groupBy(
    clients,
    (client) => (client.status === 'completed' ? client.look : undefined) ?? client.id,
  );
  const found = [...groups.values()].map((members) => ({ first: members[0] as ProofClient, others: members.slice(1) }));
  const weight = ({ first, others }: PictureGroup): number => (first.status === 'completed' ? others.length + 1 : 0);
  return found.sort((a, b) => weight(b) - weight(a));
}

/** What clears all filters. */
export const NO_FILTERS = {
  q: undefined,
  family: undefined,
  device: undefined,
  scheme: undefined,
  problems: undefined,
} as const;

export function isFiltered(search: ProofSearch): boolean {
  return Boolean(search.q || search.family || search.device || search.scheme || search.problems);
}
