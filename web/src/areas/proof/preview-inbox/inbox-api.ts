// What the inbox page asks the service for, and the names of its parts.
import type { Reply } from '@galley/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';

export type Inbox = Reply<'GET /v2/preview/tests/{test_id}/inbox'>;
export type Row = Inbox['rows'][number];
export type Notification = Inbox['notifications'][number];
export type Source = Row['sources'][number];

/** The inbox of a test, with another sender where one is tried. */
export function inboxQuery(testId: string, from: string) {
  return queryOptions({
    queryKey: ['inbox', testId, from],
    queryFn: () =>
      api.call('GET /v2/preview/tests/{test_id}/inbox', {
        path: { test_id: testId },
        query: from === '' ? {} : { from },
      }),
  });
}

/** Whether something is published of how much the list shows. */
export function isKnown({ subject, preview }: Row): boolean {
  return subject.room !== null || preview === null || preview.room !== null;
}

/** `48 characters`, `2 lines of 292 px`. */
export function roomWords(room: Row['subject']['room']): string {
  if (room === null) return 'not known';
  if (room.characters !== undefined) return `${room.characters} characters`;
  return room.lines === 1 ? `a line of ${room.pixels} px` : `${room.lines} lines of ${room.pixels} px`;
}
