// What the addresses of the spam pages remember.
import type { SpamSearch } from '../../../shared/mail/mail-api.ts';

export const STATUSES = ['processing', 'completed', 'failed'] as const;
const REGIONS = ['us1', 'eu1'] as const;
const PARTS = ['receivers', 'filters', 'authentication', 'checklist'] as const;
export type Part = (typeof PARTS)[number];

export function readSpamSearch({ status, region, page }: Record<string, unknown>): SpamSearch {
  const found = {
    status: STATUSES.find((one) => one === status),
    region: REGIONS.find((one) => one === region),
    page: typeof page === 'number' && Number.isInteger(page) && page > 1 ? page : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as SpamSearch;
}

export function readPartSearch({ part }: Record<string, unknown>): { part?: Part } {
  const found = PARTS.find((one) => one === part && one !== 'receivers');
  return found ? { part: found } : {};
}
