// Words for what the service says of emails.
import type { Email, Overview } from './emails-api.ts';

type Tone = 'good' | 'bad' | 'doubt' | undefined;

export const VERDICTS: Readonly<Record<Overview['verdict'], { label: string; tone: Tone }>> = {
  ready: { label: 'Ready', tone: 'good' },
  not_ready: { label: 'Not ready', tone: 'bad' },
  unknown: { label: 'Not known', tone: 'doubt' },
};

/** What tests of the newest version say so far. */
export function statusWords({ state, errors, warnings }: Email['status']): { label: string; tone: Tone } {
  if (state === 'untested') return { label: 'not tested', tone: undefined };
  if (state === 'testing') return { label: 'being tested', tone: undefined };
  if (errors > 0) return { label: errors === 1 ? '1 error' : `${errors} errors`, tone: 'bad' };
  if (warnings > 0) return { label: warnings === 1 ? '1 warning' : `${warnings} warnings`, tone: 'doubt' };
  return { label: 'no errors found', tone: 'good' };
}
