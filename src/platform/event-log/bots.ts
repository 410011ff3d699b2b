import type { LoggedEvent } from './types.ts';

/** What opened or clicked in place of a person, such as a scanner; empty: a person did, as far as is known. */
export const botOf = ({ about }: Pick<LoggedEvent, 'about'>): string =>
  String((about?.['client-info'] as { bot?: string } | undefined)?.bot ?? '');
