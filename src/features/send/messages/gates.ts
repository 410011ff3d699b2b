// What other features have to say about a message before it is taken, such as that it waits until it was checked.
import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { defineList } from '../../../platform/ports/index.ts';
import type { MessageContent } from './content.ts';

interface Offered {
  accountId: string;
  /** In lower case. */
  domain: string;
  content: MessageContent;
  sizeBytes: number;
  now: Date;
}

/** In the transaction that keeps the message. Answers whether its deliveries are held until somebody releases them. */
export type Admit = (tx: Sql, message: { id: string; recipients: number }) => Promise<boolean>;

/** Throws `forbidden` where the message is refused; undefined: there is nothing to say about it. */
type MessageGate = (
  doors: Pick<Outside, 'config' | 'db' | 'compute' | 'jobs'>,
  message: Offered,
) => Promise<Admit | undefined>;

export const messageGates = defineList<MessageGate>('messages.gates');
