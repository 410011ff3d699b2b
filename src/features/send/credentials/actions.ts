import type { Sql } from '../../../platform/db/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { randomText } from '../../../platform/ids/index.ts';
import { hashPassword } from '../../../platform/secrets/index.ts';
import { admitStored } from '../../account/accounts/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import * as store from './store.ts';

/** What the documents of the interface give. */
const PASSWORD_LENGTH = { min: 5, max: 32 };
const LOCAL = /^[a-z0-9](?:[a-z0-9._+-]{0,62}[a-z0-9])?$/;

type Doors = Pick<Outside, 'config' | 'db' | 'secrets' | 'clock'>;

interface Wanted {
  accountId: string;
  domainName: string;
}

/** A new password, when one was made. */
export interface Saved {
  login: string;
  made: string | undefined;
}

/** The login with its domain, in lower case. Throws `invalid_request`. */
function readLogin(given: unknown, domain: string): string {
  if (given === undefined || given === '') throw new AppError('invalid_request', "Parameter 'login' is missing");
  if (typeof given !== 'string') throw invalid('login', 'must be text, given once.');
  const [local = '', ...rest] = given.trim().toLowerCase().split('@');
  if (rest.length > 0 && rest.join('@') !== domain)
    throw invalid('login', `"${given.slice(0, 100)}" is not of the domain ${domain}; give the part before the @.`);
  if (!LOCAL.test(local) || local.includes('..'))
    throw invalid(
      'login',
      `"${given.slice(0, 100)}" cannot be used: give at most 64 letters, digits and . _ + - before the @, of which the ` +
        'first and the last are letters or digits.',
    );
  return `${local}@${domain}`;
}

/** Throws `invalid_request`; `undefined` where one is to be made. */
function readPassword(given: unknown, login: string, field = 'password'): string | undefined {
  if (given === undefined || given === '') return undefined;
  if (typeof given !== 'string') throw invalid(field, 'must be text, given once.');
  const { min, max } = PASSWORD_LENGTH;
  const length = [...given].length;
  const refuse = (why: string): AppError => new AppError('invalid_request', why, { details: { field } });
  if (length < min) throw refuse(`Password is too short. It must be between ${min} and ${max} characters.`);
  if (length > max) throw refuse(`Password is too long. It must be between ${min} and ${max} characters.`);
  if (/\p{Cc}/u.test(given)) throw refuse('Password holds a control character, such as a tab; leave it out.');
  const [local, domain] = login.split('@');
  if ([login, local, domain].includes(given.toLowerCase()))
    throw refuse('Password is the login, or a part of it; choose another one.');
  return given;
}

async function passwordFor(given: unknown, login: string): Promise<{ passwordHash: string; made: string | undefined }> {
  const chosen = readPassword(given, login);
  const made = chosen === undefined ? randomText(18) : undefined;
  return { passwordHash: await hashPassword(chosen ?? (made as string)), made };
}

const admit = (doors: Pick<Doors, 'config' | 'db'>, accountId: string): Promise<void> =>
  admitStored(doors, accountId, {
    quota: 'credentials',
    count: () => store.countCredentials(doors.db, accountId),
  });

/**
 * The login `postmaster@` of a domain, or its new password: what writes it. It can only be deleted with its
 * domain. Throws `invalid_request` naming `smtp_password`, `too_many_requests`.
 */
export async function preparePostmaster(
  doors: Pick<Doors, 'config' | 'db' | 'clock'>,
  { id: domainId, accountId, name }: { id: string; accountId: string; name: string },
  password: unknown,
): Promise<(tx: Sql) => Promise<void>> {
  const login = `postmaster@${name}`;
  const chosen = readPassword(password, login, 'smtp_password') as string;
  if (!(await store.findCredential(doors.db, { accountId, domainId, login }))) await admit(doors, accountId);
  const passwordHash = await hashPassword(chosen);
  const now = doors.clock.now();
  const row = { accountId, domainId, login, passwordHash, isSystem: true, createdAt: now, updatedAt: now };
  return async (tx) => {
    if (!(await store.insertCredential(tx, row)))
      await store.savePassword(tx, { accountId, domainId, login }, { passwordHash, updatedAt: now });
  };
}

/** Throws `not_found` for the domain, `invalid_request` naming the field, `too_many_requests` beyond the quota. */
export async function createCredential(
  doors: Doors,
  { accountId, domainName }: Wanted,
  given: { login: unknown; password: unknown; isSystem: boolean },
): Promise<Saved> {
  const domain = await getDomain(doors, accountId, domainName);
  const login = readLogin(given.login, domain.name);
  await admit(doors, accountId);
  const { passwordHash, made } = await passwordFor(given.password, login);
  const now = doors.clock.now();
  const isNew = await store.insertCredential(doors.db, {
    accountId,
    domainId: domain.id,
    login,
    passwordHash,
    isSystem: given.isSystem,
    createdAt: now,
    updatedAt: now,
  });
  if (!isNew) throw invalid('login', `${login} is there already; change its password, or delete it first.`);
  return { login, made };
}

/** The login that a path names, of the account's domain. Throws `not_found`. */
async function loginIn(doors: Doors, { accountId, domainName }: Wanted, spec: string): Promise<store.LoginOf> {
  const { id: domainId, name } = await getDomain(doors, accountId, domainName);
  const wanted = spec.toLowerCase();
  return { accountId, domainId, login: wanted.includes('@') ? wanted : `${wanted}@${name}` };
}

const missing = (): AppError => new AppError('not_found', 'Credentials not found');

/** Throws `not_found` for the domain or the login, `invalid_request` for the password. */
export async function changePassword(
  doors: Doors,
  wanted: Wanted,
  { spec, password }: { spec: string; password: unknown },
): Promise<Saved> {
  const one = await loginIn(doors, wanted, spec);
  if (!(await store.findCredential(doors.db, one))) throw missing();
  const { passwordHash, made } = await passwordFor(password, one.login);
  const saved = await store.savePassword(doors.db, one, { passwordHash, updatedAt: doors.clock.now() });
  if (!saved) throw missing();
  return { login: one.login, made };
}

/** Answers the whole login. Throws `not_found`, or `invalid_request` for one of the system. */
export async function deleteCredential(doors: Doors, wanted: Wanted, spec: string): Promise<string> {
  const one = await loginIn(doors, wanted, spec);
  if ((await store.deleteCredentials(doors.db, one)) > 0) return one.login;
  if (!(await store.findCredential(doors.db, one))) throw missing();
  throw new AppError('invalid_request', `Cannot delete system mailbox: ${one.login}`);
}
