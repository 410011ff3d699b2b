// Days as providers count them: `2026-11-22`, always written so.
import { DAY_MS } from '../../../platform/times/index.ts';
import type { Days } from './store.ts';

/** The day in UTC. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** So many days later. */
export const dayAfter = (day: string, days: number): string =>
  dayOf(new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS));

/** Its first moment. */
export const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** Every day from one to another, both included. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = dayAfter(day, 1)) days.push(day);
  return days;
}

/** As records show it. */
export const dateOf = (day: string): string => `${day}T00:00:00Z`;

/** No year that anybody writes with four digits comes later. */
const SECONDS_MAX = 253_402_300_799;

/** The days of a range of Unix seconds, each end of which may be open. */
export function daysOfRange(from: number | undefined, to: number | undefined): Days {
  const at = (seconds: number): string => dayOf(new Date(Math.min(seconds, SECONDS_MAX) * 1000));
  return { from: at(from ?? 0), to: at(to ?? SECONDS_MAX) };
}
