// The spam test that a preview test was asked for with: the same email, sent to every provider of spam tests.
import type { Static } from 'typebox';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { readHeaders, type SenderDoors } from '../_seeds/index.ts';
import {
  checkSpamEmail,
  findSpamTest,
  removeSpamTest,
  SPAM_PATH,
  startSpamTest,
  type SpamEmail,
} from '../spam-tests/index.ts';
import type { SpamOption } from './contract.ts';
import type { SpamRef } from './store.ts';

type Option = Static<typeof SpamOption>;

const METHOD = 'spam.test_method';
const REFUSED = {
  smtp: 'must be eoa: sending through an SMTP server of yours is not done here.',
  seed:
    'must be eoa: here the service sends the message itself; to send it yourself, make a seed list ' +
    'at POST /v4/inbox/seedlists.',
} as const;

/**
 * The email of the spam test that is asked for, checked; null when none is. Throws `invalid_request` naming the field.
 */
export async function readSpam(
  ctx: SenderDoors & Pick<Context, 'compute' | 'principal'>,
  option: Option | null | undefined,
  email: Omit<SpamEmail, 'from'>,
): Promise<SpamEmail | null> {
  if (!option) return null;
  const method = option.test_method ?? 'eoa';
  if (method !== 'eoa') throw invalid(METHOD, REFUSED[method]);
  if (option.smtp_info)
    throw invalid('spam.smtp_info', 'goes with the test_method smtp, which is not done here; leave it out.');
  if (option.key) throw invalid('spam.key', 'goes with the test_method seed, which is not done here; leave it out.');
  const from = option.from_address?.trim() || null;
  const whole: SpamEmail = { ...email, headers: email.source.kind === 'mime' ? {} : readHeaders(email.headers), from };
  await checkSpamEmail(ctx, whole, { from: 'spam.from_address' });
  return whole;
}

export function startSpam(
  outside: Pick<Outside, 'config' | 'db' | 'jobs' | 'blobs' | 'clock'>,
  accountId: string,
  email: SpamEmail | null,
): Promise<SpamRef | null> {
  return email ? startSpamTest(outside, accountId, email) : Promise.resolve(null);
}

/** Deletes the spam test; one that is gone already is none. */
export async function removeSpam(
  outside: Pick<Outside, 'db' | 'jobs'>,
  accountId: string,
  spam: SpamRef | null,
): Promise<void> {
  if (!spam) return;
  await removeSpamTest(outside, accountId, spam.id).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error;
  });
}

/** `{ spam: { key, address_list, … } }`; nothing where no spam test was asked for. */
export async function spamView(
  { db }: Pick<Context, 'db'>,
  { accountId, spam }: { accountId: string; spam: SpamRef | null },
) {
  if (!spam) return {};
  const { id, addresses } = spam;
  const test = await findSpamTest(db, accountId, id);
  const state = test
    ? { meta: { status: test.status }, items: { id, links: { self: `${SPAM_PATH}/${id}` } } }
    : { errors: [{ status: '404', title: 'not_found', detail: 'This spam test was deleted.' }] };
  return { spam: { key: id, address_list: addresses, ...state } };
}
