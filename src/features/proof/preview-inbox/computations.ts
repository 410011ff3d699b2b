// Reading the message and cutting its texts, in a process that can be ended.
import {
  inboxRows,
  lockScreenNotifications,
  readForInbox,
  type MessageForInbox,
} from '../../../engines/inbox-rows/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';
import { readMessage, type StoredSource } from '../_message/index.ts';

/** The source, and what is known beside it; an empty subject is the message's own. */
type InboxInput = Pick<MessageForInbox, 'sender' | 'logo'> & { source: StoredSource; subject: string };

export const showInbox = defineComputation(import.meta.url, 'showInbox', async ({ source, ...given }: InboxInput) => {
  const { html, text, read, subject: own } = await readMessage(source);
  const message = { html, text, ...given, subject: given.subject || own };
  const { sender, subject, preheader, hiddenCharacters } = readForInbox(message, read);
  return {
    read: { sender, subject, preheader, hiddenCharacters },
    rows: inboxRows(message, read),
    notifications: lockScreenNotifications(message, read),
  };
});

export type ShownInbox = Awaited<ReturnType<(typeof showInbox)['run']>>;
