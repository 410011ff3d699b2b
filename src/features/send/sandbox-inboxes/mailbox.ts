// An inbox as mail programs read it.
import type { Outside } from '../../../platform/feature/index.ts';
import { readKept } from '../../proof/_message/index.ts';
import { MESSAGES } from './contract.ts';
import { tooLargeFor } from './large.ts';
import { findMessage, listOldest } from './messages-store.ts';
import { deleteSeveral } from './several.ts';
import type { SandboxInbox } from './store.ts';

/** What is in an inbox now, oldest first. */
export async function openInbox(
  doors: Pick<Outside, 'db' | 'blobs' | 'jobs'>,
  inbox: Pick<SandboxInbox, 'id' | 'accountId'>,
) {
  return {
    messages: await listOldest(doors.db, inbox, { limit: MESSAGES.max }),
    read: async (id: string): Promise<Buffer | string | undefined> => {
      const message = await findMessage(doors.db, inbox, id);
      return message && (tooLargeFor('by POP3 go', message)?.message ?? readKept(doors, message));
    },
    remove: async (ids: readonly string[]): Promise<void> => {
      await deleteSeveral(doors, inbox, { ids });
    },
  };
}
