// Reads the messages of a folder that came since the last visit, and leaves everything as it is.
import type { FetchMessageObject, ImapFlow, MailboxObject } from 'imapflow';
import { MailboxError, OwnFault } from './failure.ts';
import type { NewMessages, NewMessagesFound } from './types.ts';

/** What one answer of the server holds. */
const CHUNK_BYTES = 1024 * 1024;

async function openFolder(client: ImapFlow, path: string): Promise<MailboxObject> {
  try {
    return await client.mailboxOpen(path, { readOnly: true });
  } catch (error) {
    if ((error as { responseStatus?: string }).responseStatus === 'NO') throw new MailboxError('folder', error);
    throw error;
  }
}

/** The numbers of the messages behind one, in their order. A server answers `n:*` with its last message at least. */
async function numbersAfter(client: ImapFlow, uid: number): Promise<number[]> {
  const found = await client.search({ uid: `${uid + 1}:*` }, { uid: true });
  // A search that failed is no empty search.
  if (!found) throw new MailboxError(client.usable ? 'protocol' : 'lost');
  return found.filter((one) => one > uid).sort((a, b) => a - b);
}

/** A part of a message. `BODY.PEEK`: it stays unread. Undefined: it is gone. */
async function fetchPart(client: ImapFlow, uid: number, start: number): Promise<FetchMessageObject | undefined> {
  const query = { uid: true, size: true, source: { start, maxLength: CHUNK_BYTES } };
  return (await client.fetchOne(String(uid), query, { uid: true })) || undefined;
}

/** Undefined: the message is gone. Without `raw`: it is larger than may be. */
async function readMessage(
  client: ImapFlow,
  uid: number,
  sizeBytesMax: number,
): Promise<{ raw: Buffer | undefined; sizeBytes: number } | undefined> {
  const { size } = (await client.fetchOne(String(uid), { uid: true, size: true }, { uid: true })) || {};
  if (size === undefined) return undefined;
  if (size > sizeBytesMax) return { raw: undefined, sizeBytes: size };
  const parts: Buffer[] = [];
  for (let read = 0; ;) {
    const part = (await fetchPart(client, uid, read))?.source;
    if (part === undefined) return undefined;
    parts.push(part);
    read += part.length;
    // What a server says of the size need not be so.
    if (read > sizeBytesMax) return { raw: undefined, sizeBytes: read };
    if (part.length < CHUNK_BYTES || read >= size) return { raw: Buffer.concat(parts), sizeBytes: read };
  }
}

/** Throws {@link OwnFault} for what `take` throws. */
export async function readNew(
  client: ImapFlow,
  { folder, after, messagesMax, sizeBytesMax, stopAfterMs, take }: NewMessages,
): Promise<NewMessagesFound> {
  const startedAt = performance.now();
  const opened = await openFolder(client, folder);
  const uidValidity = String(opened.uidValidity);
  const isSame = after?.uidValidity === uidValidity;
  const uids = opened.exists === 0 ? [] : await numbersAfter(client, isSame ? after.uid : 0);
  let done = 0;
  for (const uid of uids.slice(0, messagesMax)) {
    if (performance.now() - startedAt > stopAfterMs) break;
    const message = await readMessage(client, uid, sizeBytesMax);
    const goesOn = await take({ uidValidity, uid, ...(message ?? { raw: undefined, sizeBytes: 0 }) }).catch(
      (cause: unknown) => {
        throw new OwnFault(cause);
      },
    );
    if (!goesOn) break;
    done += 1;
  }
  return { uidValidity, left: uids.length - done };
}
