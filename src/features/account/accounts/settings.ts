// What an account says of itself: its name, how long its sessions last, where people go when they sign out.
import { invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { changeAccess } from './access.ts';
import { findAccount, updateAccount, type Account } from './store.ts';

/** How long a session lasts that its account says nothing of. */
export const SESSION_SECONDS = 12 * 3600;
const TIMEOUT_SECONDS_MIN = 300;
const TIMEOUT_SECONDS_MAX = 30 * 86_400;
const URL_LENGTH_MAX = 2000;

interface AskedSettings {
  name?: string | undefined;
  inactive_session_timeout?: number | undefined;
  absolute_session_timeout?: number | undefined;
  logout_redirect_url?: string | undefined;
}

function readTimeout(field: string, seconds: number | undefined): number | null | undefined {
  if (seconds === undefined) return undefined;
  if (seconds === 0) return null;
  if (seconds < TIMEOUT_SECONDS_MIN || seconds > TIMEOUT_SECONDS_MAX)
    throw invalid(
      field,
      `must be between ${TIMEOUT_SECONDS_MIN} and ${TIMEOUT_SECONDS_MAX} seconds, or 0 for the default.`,
    );
  return seconds;
}

function readRedirect(given: string | undefined): string | null | undefined {
  if (given === undefined) return undefined;
  if (given.trim() === '') return null;
  const isGood =
    given.length <= URL_LENGTH_MAX && URL.canParse(given) && ['http:', 'https:'].includes(new URL(given).protocol);
  if (!isGood)
    throw invalid('logout_redirect_url', `must be an http or https URL of at most ${URL_LENGTH_MAX} characters.`);
  return new URL(given).href;
}

/** Changes what is given, for the account that the call acts for. Throws `invalid_request`. */
export async function changeSettings(
  ctx: Pick<Context, 'db' | 'clock' | 'principal'>,
  asked: AskedSettings,
): Promise<void> {
  const { accountId } = ctx.principal;
  const given = {
    name: asked.name?.trim(),
    inactiveSessionSeconds: readTimeout('inactive_session_timeout', asked.inactive_session_timeout),
    absoluteSessionSeconds: readTimeout('absolute_session_timeout', asked.absolute_session_timeout),
    logoutRedirectUrl: readRedirect(asked.logout_redirect_url),
  };
  if (given.name === '') throw invalid('name', 'must hold a character that is not a space.');
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (Object.keys(changes).length === 0)
    throw invalid(
      'Either `name`, `absolute_session_timeout`, `inactive_session_timeout`, or `logout_redirect_url`',
      'must be provided to update account info.',
    );
  await changeAccess(ctx, (tx) => updateAccount(tx, accountId, { ...changes, updatedAt: ctx.clock.now() }));
}

/** The account that the call acts for. */
export async function getOwnAccount(ctx: Pick<Context, 'db' | 'principal'>): Promise<Account> {
  const account = await findAccount(ctx.db, ctx.principal.accountId);
  if (!account) throw new Error(`The account ${ctx.principal.accountId} of a key is missing.`);
  return account;
}
