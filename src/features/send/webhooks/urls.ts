// The addresses that webhooks may have.
import type { Outside } from '../../../platform/feature/index.ts';
import { readTarget } from '../../../platform/posting/index.ts';

/** Checks a URL of a webhook. Throws `invalid_request` with the words that the group's documents have. */
export function readUrl({ config }: Pick<Outside, 'config'>, text: string, prefix = '') {
  return readTarget(text, { allowHosts: config.fetch.allowHosts, prefix });
}
