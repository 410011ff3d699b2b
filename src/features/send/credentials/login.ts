// Whether somebody may send as a domain: the login and the password of its credentials.
import type { Db } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { Recent } from '../../../platform/recent/index.ts';
import { matchesPassword } from '../../../platform/secrets/index.ts';
import { isAccountOpen } from '../../account/accounts/index.ts';
import { listCandidates, type Candidate } from './store.ts';

/** Accounts that may have the login at once; more than these are not asked. */
const CANDIDATES_MAX = 8;
/** How long a password that was right is not computed again. What is kept of it changes with the password. */
const KNOWN_MS = 300_000;
const KNOWN_MAX = 10_000;
/** What nobody's password is kept as: a login that is not there takes as long as one that is. */
const NOBODYS = `scrypt$15$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

type Doors = Pick<Outside, 'db' | 'secrets' | 'clock'>;

/** Until when passwords are known to be right, by their codes. */
const known = new WeakMap<Db, Recent<number>>();

function knownIn(db: Db): Recent<number> {
  const found = known.get(db) ?? new Recent<number>(KNOWN_MAX);
  known.set(db, found);
  return found;
}

async function isRight(doors: Doors, { passwordHash }: Candidate, password: string): Promise<boolean> {
  const code = doors.secrets.mac(Buffer.from(`${passwordHash}\n${password}`), 'smtp logins').toString('base64');
  const now = doors.clock.now().getTime();
  const right = knownIn(doors.db);
  if ((right.get(code) ?? 0) > now) return true;
  if (!(await matchesPassword(password, passwordHash))) return false;
  right.set(code, now + KNOWN_MS);
  return true;
}

/** Whose login it is; undefined when there is none, or the password is another one. */
export async function findLogin(
  doors: Doors,
  { login, password }: { login: string; password: string },
): Promise<Pick<Candidate, 'accountId' | 'domain' | 'login'> | undefined> {
  const candidates = await listCandidates(doors.db, login.toLowerCase(), CANDIDATES_MAX);
  if (candidates.length === 0) await matchesPassword(password, NOBODYS);
  for (const candidate of candidates)
    if ((await isRight(doors, candidate, password)) && (await isAccountOpen(doors, candidate.accountId)))
      return candidate;
  return undefined;
}
