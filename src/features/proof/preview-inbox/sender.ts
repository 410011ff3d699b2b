// Who an email is from, as its list row says.
import type { Sender } from '../../../engines/inbox-rows/index.ts';
import { decodeWords, parseAddressList } from '../../../engines/mime/index.ts';
import { invalid } from '../../../platform/errors/index.ts';

const BRACKETED = /^\s*"?([^<]*?)"?\s*<([^<>]*)>\s*$/s;

/** What a From field says, however broken it is: what is no address is a name. Undefined for an empty one. */
function readSender(value: string): Sender | undefined {
  const [first] = parseAddressList(value).mailboxes;
  if (first) return first;
  const text = decodeWords(value);
  const [, name, address] = BRACKETED.exec(text.slice(0, 1000)) ?? [];
  if (name !== undefined && address !== undefined) return { name: name.trim(), address: address.trim() };
  return text.trim() === '' ? undefined : { name: text.trim(), address: '' };
}

/** The sender among the header fields that a test keeps; of two, the one that its request gave. */
export function senderIn(headers: Readonly<Record<string, string>>): Sender | undefined {
  const value = Object.entries(headers).findLast(([name]) => name.toLowerCase() === 'from')?.[1];
  return value === undefined ? undefined : readSender(value);
}

/** A sender to try. Throws `invalid_request`. */
export function readFrom(from: string): Sender {
  const { mailboxes, wrong } = parseAddressList(from);
  const [sender] = mailboxes;
  if (!sender || wrong !== undefined || mailboxes.length > 1)
    throw invalid('from', 'must be one address, such as Ann Brown <ann@example.com>.');
  return sender;
}
