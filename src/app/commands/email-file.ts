// The email that a command is given as a file: filled with its data, and made from its source where it is one.
import type { MergeData } from '../../engines/mail-template/index.ts';
import { fillFile } from './merge-data.ts';
import { readMessageFile, type MessageFile, type MessageKind } from './message-file.ts';
import { makeEmail, type MadeEmail } from './sources/make-email.ts';
import { isMade } from './sources/source-kinds.ts';

interface EmailFile extends MessageFile {
  /** Of an email made from a source: where that is. */
  made?: MadeEmail;
}

interface Given {
  /** A source is taken as it is where this is given. */
  type: MessageKind | undefined;
  /** In place of merge tags; of a source, its variables. */
  data: MergeData | undefined;
}

/** Reads a file, or standard input for `-`. Throws `UsageError` for what is no email, or cannot be made one. */
export async function readEmailFile(path: string, { type, data }: Given): Promise<EmailFile> {
  if (!isMade(path, type)) return fillFile(path, await readMessageFile(path, type), data);
  const made = await makeEmail(path, data);
  return { kind: 'html', bytes: Buffer.from(made.html, 'utf8'), html: made.html, made };
}
