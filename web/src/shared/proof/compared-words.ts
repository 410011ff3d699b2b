// How far a preview agreed with the real client, in words.
import type { Result } from '../../ground/api.ts';
import { calendarDay } from '../../ground/words.ts';

/** A share from 0 to 1 as `93 %`; never 100 % for less. */
export function agreementWords(share: number): string {
  return `${share === 1 ? 100 : Math.min(99, Math.round(share * 100))} %`;
}

/** `last compared with the real client on 26 Nov 2026, 93 % agree`. */
export function comparedWords({ captured_at: at, agreement }: NonNullable<Result['last_compared']>): string {
  return `last compared with the real client on ${calendarDay(at.slice(0, 10))}, ${agreementWords(agreement)} agree`;
}
