import type { ReceiverResult, SpamTest } from '../../../shared/mail/mail-api.ts';

export const FILTER_NAMES: Record<string, string> = {
  spamassassin: 'SpamAssassin',
  rspamd: 'Rspamd',
  'built-in': 'Galley’s rules',
};

/** Every receiver of a test. */
export function receiversOf({ results }: Pick<SpamTest, 'results'>): ReceiverResult[] {
  return [...(results?.b2c.results ?? []), ...(results?.b2b.results ?? [])];
}
