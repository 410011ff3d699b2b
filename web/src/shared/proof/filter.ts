// Which clients are shown, and which of them show the same.
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
      matches(client, words),
  );
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

export function isFiltered(search: ProofSearch): boolean {
  return Boolean(search.q || search.family || search.device || search.scheme);
}
