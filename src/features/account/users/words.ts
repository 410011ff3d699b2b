// What people give of themselves: addresses, names and passwords. Pure.
import { invalid } from '../../../platform/errors/index.ts';
import { PASSWORD_LENGTH_MIN } from './contract.ts';

const EMAIL_LENGTH_MAX = 254;
const PARTS = /^([^\s@"(),:;<>[\\\]]{1,64})@([^\s@]{1,253})$/;

/** The domain in ASCII; empty where it is none. */
const inAscii = (host: string): string =>
  /^[^\s/:?#@[\]]+$/.test(host) && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';

/** An address in lower case, its domain in ASCII. Throws `invalid_request`. */
export function readEmail(text: string): string {
  const [, local = '', host = ''] = PARTS.exec(text.trim()) ?? [];
  const domain = inAscii(host);
  const email = `${local}@${domain}`.toLowerCase();
  if (!local || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(domain) || email.length > EMAIL_LENGTH_MAX)
    throw invalid('email', `"${text.slice(0, 100)}" is not an email address.`);
  return email;
}

/** The same for who signs in: what is no address is nobody's. */
export function normalEmail(text: string): string {
  const [local = '', host = ''] = text.trim().split('@', 2);
  return `${local}@${inAscii(host) || host}`.toLowerCase().slice(0, EMAIL_LENGTH_MAX);
}

/** Throws `invalid_request` for a password that is guessed at once. */
export function checkPassword(password: string, { email, name }: { email: string; name: string }): void {
  const said = password.normalize('NFC').toLowerCase();
  if ([...said].length < PASSWORD_LENGTH_MIN)
    throw invalid('password', `must have at least ${PASSWORD_LENGTH_MIN} characters.`);
  const own = [email, email.split('@', 1)[0] ?? '', name.toLowerCase(), 'password', 'galley'];
  const isOwn = own.some((word) => word.length > 2 && said.replaceAll(word, '').length < PASSWORD_LENGTH_MIN / 2);
  if (isOwn) throw invalid('password', 'must not be made of your name, your email address or the word password.');
  if (new Set(said).size < 4) throw invalid('password', 'must have more than three different characters.');
}
