// What other features have to say about a message before it is taken, such as that it waits until it was checked.
import type { Sql } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { defineList } from '../../../platform/ports/index.ts';
import type { MessageContent } from './content.ts';
import type { SendOptions } from './store.ts';

interface Offered {
  accountId: string;
  /** In lower case. */
  domain: string;
  content: MessageContent;
  tags: readonly string[];
  options: SendOptions;
  sizeBytes: number;
  now: Date;
  mode: 'capture' | 'live';
  /** Copies for members of a mailing list: what it says was looked at with the message to the list. */
  isCopies: boolean;
}

const AGAIN_SECONDS = 60;

/** As much waits as may: the same may be taken later. */
export class NoRoomNow extends AppError {
  constructor(message: string) {
    super('too_many_requests', message, { headers: { 'retry-after': String(AGAIN_SECONDS) } });
  }
}

interface Admission {
  /** Its deliveries are held until somebody releases them. */
  isHeld?: boolean;
  /** Those of its recipients behind so many are stopped, until their batch goes on. */
  going?: number;
}

/** In the transaction that keeps the message. */
export type Admit = (tx: Sql, message: { id: string; recipients: number }) => Promise<Admission>;

/** Throws `forbidden` where the message is refused; undefined: there is nothing to say about it. */
type MessageGate = (
  doors: Pick<Outside, 'config' | 'db' | 'compute' | 'jobs'>,
  message: Offered,
) => Promise<Admit | undefined>;

export const messageGates = defineList<MessageGate>('messages.gates');
