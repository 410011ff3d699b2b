// An inbox sends each message that comes on to real addresses, as a message of a sending domain.
import { Type } from 'typebox';
import type { Sql } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import { readKept } from '../../proof/_message/index.ts';
import { submitMail } from '../messages/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import { readAddresses } from './addresses.ts';
import { tooLargeFor } from './large.ts';
import { findMessageOfAnyone, saveForward, type Forward, type SandboxMessage } from './messages-store.ts';
import { findInbox, type SandboxInbox } from './store.ts';

export interface WantedForward {
  domain: string;
  to: readonly string[];
}

type Settings = Pick<SandboxInbox, 'forwardTo' | 'forwardDomain'>;

/** As it is kept. Throws `invalid_request` for what is no address, `not_found` for a domain of somebody else. */
export async function readForward(
  doors: Pick<Outside, 'config' | 'db' | 'clock' | 'secrets'>,
  accountId: string,
  wanted: WantedForward | null,
): Promise<Settings> {
  if (wanted === null) return { forwardTo: [], forwardDomain: null };
  const to = readAddresses('forward.to', wanted.to);
  const { name } = await getDomain(doors, accountId, wanted.domain);
  return { forwardTo: to, forwardDomain: name };
}

/** What a message that comes now gets of its inbox. */
export const forwardFor = ({ forwardTo: to, forwardDomain: domain }: Settings): Forward | null =>
  domain === null || to.length === 0 ? null : { domain, to, state: 'waiting' };

const isSame = (inbox: Settings | undefined, { domain, to }: Forward): boolean =>
  inbox?.forwardDomain === domain && inbox.forwardTo.join() === to.join();

/** What sending refuses for good. Others are tried again. */
const isFinal = (error: unknown): error is AppError =>
  error instanceof AppError && !['unavailable', 'out_of_space', 'conflict'].includes(error.code);

/** Hands a message to sending, once: a call that is made again under its key is answered as it was before. */
export const forward = defineJob({
  name: 'sandbox-inboxes.forward',
  payload: Type.Object({ messageId: Type.String(), inboxId: Type.String() }),
  lane: 'quick',
  urgency: 'bulk',
  attempts: 5,
  timeoutMs: 120_000,
  partOf: ({ inboxId }) => inboxId,
  async run(outside, { messageId }) {
    const { db } = outside;
    const message = await findMessageOfAnyone(db, messageId);
    if (message?.forward?.state !== 'waiting') return;
    const { domain, to } = message.forward;
    const save = (forwarded: Forward): Promise<void> => saveForward(db, message, forwarded);
    if (!isSame(await findInbox(db, message.accountId, message.inboxId), message.forward))
      return save({ domain, to, state: 'refused', why: 'The inbox no longer forwards to these addresses.' });
    const tooLarge = tooLargeFor('sending takes', message);
    if (tooLarge) return save({ domain, to, state: 'refused', why: tooLarge.message });
    const bytes = await readKept(outside, message);
    const form = { to, message: { fileName: '', mediaType: 'message/rfc822', bytes } };
    const from = { accountId: message.accountId, domain, originatingIp: null, method: 'HTTP' } as const;
    try {
      const { id } = await submitMail(outside, { ...from, form, onceAs: `sandbox message ${messageId}` });
      await save({ domain, to, state: 'queued', id });
    } catch (error) {
      if (!isFinal(error)) throw error;
      await save({ domain, to, state: 'refused', why: error.message });
    }
  },
  async gaveUp({ db }, { messageId }) {
    const message = await findMessageOfAnyone(db, messageId);
    if (message?.forward?.state === 'waiting')
      await saveForward(db, message, { ...message.forward, state: 'refused', why: 'It could not be sent.' });
  },
});

/** In the transaction that keeps the message. */
export async function queueForward(
  { jobs }: Pick<Outside, 'jobs'>,
  tx: Sql,
  { id, accountId, inboxId, forward: forwarded }: Pick<SandboxMessage, 'id' | 'accountId' | 'inboxId' | 'forward'>,
): Promise<void> {
  if (forwarded) await jobs.enqueue(tx, forward, { payloads: [{ messageId: id, inboxId }], account: accountId });
}
