import type { Finding } from '../findings/index.ts';
import type { BulkSenderReport } from './types.ts';

const SEVERITIES = {
  pass: 'pass',
  fail: 'error',
  warning: 'warning',
  unknown: 'info',
  not_applicable: undefined,
} as const;

/** One finding for each check that applies. */
export function bulkSenderFindings({ checks }: BulkSenderReport): Finding[] {
  return checks.flatMap(({ id, title, status, reason, fix, requirements }) => {
    const severity = SEVERITIES[status];
    if (!severity) return [];
    const source = requirements
      .map(({ provider, document, since }) =>
        provider === 'IETF' ? document : `${provider}: ${document} (since ${since})`,
      )
      .join('; ');
    return [
      { rule: `bulk-sender/${id}`, severity, message: reason, ...(fix && { fix }), source, details: { title, status } },
    ];
  });
}
