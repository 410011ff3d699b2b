// Who logs in, and how often somebody may try.
import type { Outside } from '../../../platform/feature/index.ts';
import { networkOf } from '../../../platform/fetch/index.ts';
import { SmtpRefusal, type SmtpLogin } from '../../../platform/mail/index.ts';
import { Buckets, Recent } from '../../../platform/recent/index.ts';
import { isAdmittedFrom } from '../../account/ip-allowlist/index.ts';
import { findLogin } from '../credentials/index.ts';
import { findInboxLogin, isInboxLogin } from '../sandbox-inboxes/index.ts';

/** Wrong passwords of one login within a minute, from wherever they come. */
const PER_LOGIN = 10;
const RIGHT_MAX = 10_000;
const LOGIN_LENGTH_MAX = 320;
/** No password is longer. */
const PASSWORD_BYTES_MAX = 128;

type Doors = Pick<Outside, 'config' | 'db' | 'secrets' | 'clock' | 'log'>;

interface Attempt {
  name: string;
  password: string;
  remoteAddress: string;
}

/** A login of a sending domain, or of a sandbox inbox; they differ in form. */
async function findOwner(doors: Doors, given: { login: string; password: string }): Promise<SmtpLogin | undefined> {
  if (isInboxLogin(given.login)) {
    const inbox = await findInboxLogin(doors, given);
    return inbox && { accountId: inbox.accountId, domain: '', name: given.login, inboxId: inbox.inboxId };
  }
  const found = await findLogin(doors, given);
  return found && { accountId: found.accountId, domain: found.domain, name: found.login };
}

/** Checks logins, and bounds the wrong ones of an address and of a login. */
export function createLogins(doors: Doors): (attempt: Attempt) => Promise<SmtpLogin | SmtpRefusal> {
  const now = (): number => doors.clock.now().getTime();
  const perAddress = doors.config.limits.wrongKeysPerMinute;
  const ofAddress = new Buckets(perAddress, now);
  const ofLogin = new Buckets(PER_LOGIN, now);
  // Wrong passwords of others stop nobody whose password was right before.
  const right = new Recent<true>(RIGHT_MAX);
  const codeOf = (name: string, password: string): string =>
    doors.secrets.mac(Buffer.from(`${name}\n${password}`), 'smtp logins that were right').toString('base64');

  const throttled = (network: string, name: string): SmtpRefusal | undefined => {
    const bounds = [
      {
        seconds: ofAddress.waitSeconds(network),
        words: `More than ${perAddress} wrong passwords came from your address`,
      },
      { seconds: ofLogin.waitSeconds(name), words: `More than ${PER_LOGIN} wrong passwords were given for this login` },
    ];
    const bound = bounds.find(({ seconds }) => seconds > 0);
    return (
      bound &&
      new SmtpRefusal(
        454,
        `4.7.0 ${bound.words} within a minute. Try again in ${bound.seconds} ${bound.seconds === 1 ? 'second' : 'seconds'}.`,
      )
    );
  };

  return async ({ name: given, password, remoteAddress }) => {
    const name = given.toLowerCase();
    const wrong = new SmtpRefusal(
      535,
      '5.7.8 The login or the password is wrong. The login is a whole address, such as ann@mail.example.com.',
    );
    if (name.length > LOGIN_LENGTH_MAX || Buffer.byteLength(password) > PASSWORD_BYTES_MAX) return wrong;
    const network = networkOf(remoteAddress);
    const code = codeOf(name, password);
    const refusal = right.get(code) ? undefined : throttled(network, name);
    if (refusal) return refusal;
    // Counted before it is known: many at once are as many as they are.
    ofAddress.spend(network);
    ofLogin.spend(name);
    const found = await findOwner(doors, { login: name, password });
    if (!found) {
      right.delete(code);
      doors.log.info({ login: name, remoteAddress }, 'a login over SMTP was refused');
      return wrong;
    }
    ofAddress.giveBack(network);
    ofLogin.giveBack(name);
    right.set(code, true);
    if (!(await isAdmittedFrom(doors, { accountId: found.accountId, address: remoteAddress })))
      return new SmtpRefusal(535, `5.7.8 The IP allowlist of this account does not contain ${remoteAddress}.`);
    return found;
  };
}
