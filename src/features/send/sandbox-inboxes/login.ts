// Who puts messages into an inbox by SMTP.
import { timingSafeEqual } from 'node:crypto';
import type { Outside } from '../../../platform/feature/index.ts';
import { randomHex, randomText } from '../../../platform/ids/index.ts';
import { isAccountOpen } from '../../account/accounts/index.ts';
import { findByLogin } from './store.ts';

const PREFIX = 'sandbox-';

/** A login that is an inbox's has this form: that of a sending domain is an address. */
export const isInboxLogin = (login: string): boolean => login.startsWith(PREFIX) && !login.includes('@');

function codeOf({ secrets }: Pick<Outside, 'secrets'>, smtpUser: string, password: string): string {
  return secrets.mac(Buffer.from(`${smtpUser}\n${password}`), 'passwords of sandbox inboxes').toString('base64url');
}

export const newLogin = (): string => `${PREFIX}${randomHex(8)}`;

/** 192 bits that nobody guesses: what recognizes it need not be slow. */
export function newPassword(
  doors: Pick<Outside, 'secrets'>,
  smtpUser: string,
): { password: string; passwordCode: string } {
  const password = randomText(24);
  return { password, passwordCode: codeOf(doors, smtpUser, password) };
}

/** The inbox of a login; undefined when there is none, or the password is another one. */
export async function findInboxLogin(
  doors: Pick<Outside, 'db' | 'secrets'>,
  { login, password }: { login: string; password: string },
): Promise<{ accountId: string; inboxId: string; name: string } | undefined> {
  const inbox = await findByLogin(doors.db, login);
  const [given, kept] = [codeOf(doors, login, password), inbox?.passwordCode ?? ''].map((code) => Buffer.from(code));
  if (!inbox || given!.length !== kept!.length || !timingSafeEqual(given!, kept!)) return undefined;
  if (!(await isAccountOpen(doors, inbox.accountId))) return undefined;
  return { accountId: inbox.accountId, inboxId: inbox.id, name: inbox.name };
}
