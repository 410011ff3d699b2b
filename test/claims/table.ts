// The outcome of the claims, counted by family.
import { findClient } from '../../src/engines/client-emulation/index.ts';
import { FAMILIES, type ClaimFamily } from './families.ts';
import type { Outcome } from './try-claims.ts';
import type { Claim } from './types.ts';

export interface Count {
  claims: number;
  hits: number;
}

/** Claims and hits by family, in the order of the families. */
export function countByFamily(outcomes: readonly Outcome[]): Map<ClaimFamily, Count> {
  const counts = new Map(Object.keys(FAMILIES).map((family) => [family as ClaimFamily, { claims: 0, hits: 0 }]));
  for (const { family, hit } of outcomes) {
    const count = counts.get(family)!;
    count.claims++;
    if (hit) count.hits++;
  }
  return counts;
}

/** The sum over all families; a claim about several families counts in each. */
export function countAll(outcomes: readonly Outcome[]): Count {
  return { claims: outcomes.length, hits: outcomes.filter(({ hit }) => hit).length };
}

export const percent = ({ claims, hits }: Count): string => `${((100 * hits) / claims).toFixed(1)} %`;

/** Whether a claim is about dark mode: every client that it names shows the message dark. */
export const isDark = ({ clients }: Claim): boolean => clients.every((id) => findClient(id)!.colorScheme === 'dark');
