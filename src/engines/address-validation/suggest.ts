// What domain was meant: names of large providers with a slip of the hand.
import { TYPO_DOMAINS } from '../typo-domains/index.ts';

/** Where many people have their mailbox. */
const PROVIDERS = [
  'gmail.com',
  'googlemail.com',
  'yahoo.com',
  'yahoo.co.uk',
  'yahoo.fr',
  'yahoo.de',
  'yahoo.co.jp',
  'hotmail.com',
  'hotmail.co.uk',
  'hotmail.fr',
  'hotmail.de',
  'outlook.com',
  'outlook.fr',
  'outlook.de',
  'icloud.com',
  'protonmail.com',
  'comcast.net',
  'verizon.net',
  'sbcglobal.net',
  'bellsouth.net',
  'btinternet.com',
  'virginmedia.com',
  'orange.fr',
  'wanadoo.fr',
  'laposte.net',
  't-online.de',
  'freenet.de',
  'libero.it',
  'virgilio.it',
  'rambler.ru',
  'yandex.ru',
  'bigpond.com',
  'shaw.ca',
  'rogers.com',
  'naver.com',
  'hanmail.net',
  'rediffmail.com',
  'fastmail.com',
] as const;

/** Longer names are no slip of these. */
const LENGTH_MAX = 24;

/** Whether one text becomes the other by one letter left out, added, changed or exchanged with the next. */
function isOneSlip(written: string, meant: string): boolean {
  if (written === meant || Math.abs(written.length - meant.length) > 1) return false;
  let begin = 0;
  while (begin < written.length && written[begin] === meant[begin]) begin += 1;
  let end = 0;
  const most = Math.min(written.length, meant.length) - begin;
  while (end < most && written.at(-1 - end) === meant.at(-1 - end)) end += 1;
  const [left, right] = [written.slice(begin, written.length - end), meant.slice(begin, meant.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}

/**
 * The domain that was probably meant; undefined for one that is nobody's slip. `takesMail`: false when DNS says that
 * nothing takes mail for it, so that a slip from more providers is likelier than a domain of its own.
 */
export function suggestDomain(domain: string, { takesMail }: { takesMail: boolean }): string | undefined {
  const known = TYPO_DOMAINS.get(domain);
  if (known !== undefined) return known;
  if (takesMail || domain.length > LENGTH_MAX) return undefined;
  // A provider has its name under many endings; which was meant of those, nobody can tell.
  const [name] = domain.split('.');
  const meant = PROVIDERS.filter((provider) => isOneSlip(domain, provider) && !provider.startsWith(`${name}.`));
  return meant.length === 1 ? meant[0] : undefined;
}
