// Limits in words, and as rows of a file.
import { csvTime } from '../../../ground/csv.ts';
import { count } from '../../../ground/words.ts';
import { onePage, type ListExport } from '../../../shared/send/list-pages.ts';
import type { Limit } from './rules-api.ts';

export const SCOPES: readonly { value: Limit['scope']; label: string; about: string }[] = [
  { value: 'account', label: 'Account', about: 'All messages of the account.' },
  { value: 'domain', label: 'Sending domain', about: 'Messages from one sending domain.' },
  { value: 'provider', label: 'Mailbox provider', about: 'Messages to mailboxes at one provider.' },
  { value: 'ip', label: 'IP address', about: 'Messages of the account that leave from one address.' },
];

export const PERIODS = [
  { value: 'hour', label: 'hour' },
  { value: 'day', label: 'day' },
] as const;

/** `The account`, `Domain news.example.com`, `Provider google`, `IP address 192.0.2.1`. */
export function whoseWords({ scope, name }: Pick<Limit, 'scope' | 'name'>): string {
  if (scope === 'account') return 'The account';
  return `${{ domain: 'Domain', provider: 'Provider', ip: 'IP address' }[scope]} ${name}`;
}

/** `1,000 messages per hour`. */
export const limitWords = ({ max, period }: Pick<Limit, 'max' | 'period'>): string =>
  `${count(max, 'message')} per ${period}`;

export const limitsExport = (limits: readonly Limit[]): ListExport => ({
  columns: ['scope', 'name', 'period', 'limit', 'used', 'resets (UTC)'],
  pages: () =>
    onePage(
      limits.map(({ scope, name, period, max, used, resets_at: at }) => [scope, name, period, max, used, csvTime(at)]),
    ),
});
