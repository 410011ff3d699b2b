// The copy of a message for the archive of its sender, in words.
import type { Reply } from '@galley/sdk';

type ArchiveCopy = NonNullable<Reply<'GET /v1/galley/messages/{message}/timeline'>['archive']>;

/** How far it is. */
export function archiveTold({ url, state, attempts }: Pick<ArchiveCopy, 'url' | 'state' | 'attempts'>): string {
  const host = URL.canParse(url) ? new URL(url).host : url;
  const last = attempts.at(-1)?.message ?? '';
  switch (state) {
    case 'captured':
      return `The message was captured, so no copy left for the archive at ${host}.`;
    case 'delivered':
      return `The archive at ${host} has a copy.`;
    case 'waiting':
      return attempts.length === 0
        ? `A copy is about to be posted to the archive at ${host}.`
        : `The archive at ${host} has no copy yet; it is tried again. ${last}`;
    default:
      return `The archive at ${host} has no copy, and it is not tried again. ${last}`;
  }
}
