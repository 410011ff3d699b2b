// What a message is made of, kept as it was given: copies are made from it, one for each recipient.
import type { MailAddress } from '../../../engines/mime/index.ts';
import { packValue, unpackValue } from '../../../platform/blobs/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { UnreadableSecret } from '../../../platform/secrets/index.ts';
import { keepMessage, readKept } from '../../proof/_message/index.ts';
import type { SentMessage } from './store.ts';

export interface AttachedFile {
  name: string;
  contentType: string;
  body: Uint8Array;
}

/** A message in parts. Variables of recipients (`%recipient.x%`) are not filled. */
export interface MessageParts {
  kind: 'parts';
  from: MailAddress;
  to: MailAddress[];
  cc: MailAddress[];
  subject: string;
  text?: string;
  html?: string;
  ampHtml?: string;
  /** Further fields, in their order. */
  headers: { name: string; value: string }[];
  attachments: AttachedFile[];
  /** Files that the HTML shows; their name is their Content-ID. */
  inline: AttachedFile[];
  /** Each recipient gets a copy of its own, that names nobody else. */
  isBatch: boolean;
}

/** A message as it was given, its lines ended by CRLF. */
interface WholeMessage {
  kind: 'mime';
  raw: Uint8Array;
}

export type MessageContent = MessageParts | WholeMessage;

/** Content that is encrypted where it is kept, with the key of the service. */
interface SealedContent {
  kind: 'sealed';
  sealed: Uint8Array;
}

/** Larger ones are kept with the bytes of messages. */
const ROW_BYTES_MAX = 64 * 1024;

/** Of what else is kept for the message; see `_message`. */
export const holderOf = (key: string): string => `sent/${key}`;

/** What is sealed for one account opens for no other. */
const purposeOf = (accountId: string): string => `messages of ${accountId}`;

/**
 * Where the content is: durable once the row with it is committed, which `confirmUses` belongs to. `isSealed`: it is
 * encrypted there.
 */
export async function keepContent(
  outside: Pick<Outside, 'db' | 'blobs' | 'clock' | 'secrets'>,
  content: MessageContent,
  { accountId, key, isSealed = false }: { accountId: string; key: string; isSealed?: boolean },
): Promise<Pick<SentMessage, 'content' | 'contentDigest'>> {
  const plain = packValue(content);
  const bytes = isSealed ? packValue(sealedOf(outside, accountId, plain)) : plain;
  if (bytes.length <= ROW_BYTES_MAX) return { content: bytes, contentDigest: null };
  return { content: null, contentDigest: await keepMessage(outside, { accountId, holder: holderOf(key), bytes }) };
}

function sealedOf({ secrets }: Pick<Outside, 'secrets'>, accountId: string, plain: Uint8Array): SealedContent {
  return { kind: 'sealed', sealed: secrets.sealBytes(plain, purposeOf(accountId)) };
}

function unpackContent({ secrets }: Pick<Outside, 'secrets'>, accountId: string, bytes: Buffer): MessageContent {
  const kept = unpackValue(bytes) as MessageContent | SealedContent;
  if (kept.kind !== 'sealed') return kept;
  try {
    return unpackValue(secrets.openBytes(kept.sealed, purposeOf(accountId))) as MessageContent;
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error;
    throw new AppError(
      'conflict',
      'The content of this message was encrypted with another key than this service has now. Ask the operator to bring ' +
        'GALLEY_SECRET_KEY or secret.key back.',
      { cause: error },
    );
  }
}

/** Throws `expired` when its time has ended, and `conflict` when it was sealed with another key of the service. */
export async function readContent(
  doors: Pick<Outside, 'blobs' | 'secrets'>,
  message: Pick<SentMessage, 'accountId' | 'content' | 'contentDigest'>,
): Promise<MessageContent> {
  const { accountId, content, contentDigest } = message;
  if (content) return unpackContent(doors, accountId, content);
  if (contentDigest !== null)
    return unpackContent(doors, accountId, await readKept(doors, { accountId, digest: contentDigest }));
  throw new AppError('expired', 'The content of this message is no longer kept; its events still are.');
}
