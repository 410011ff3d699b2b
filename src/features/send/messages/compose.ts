// A call as it would be sent, and is not: for inboxes that deliver to nobody.
import { newMessageId } from '../../../engines/mime/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { randomText } from '../../../platform/ids/index.ts';
import { readStored } from './computations.ts';
import { readMime, readParts } from './draft.ts';
import type { Form } from './fields.ts';
import { admitVariables } from './recipients.ts';

interface ComposedForm {
  raw: Buffer;
  /** With brackets. */
  messageId: string;
  sender: string;
  recipients: string[];
  tags: string[];
}

/**
 * One whole message of a call: of its parts, or of the one in its field `message`. Variables of recipients stay as they
 * are. Throws `invalid_request` naming the field.
 */
export async function composeForm(
  doors: Pick<Outside, 'compute' | 'clock'>,
  form: Readonly<Record<string, unknown>>,
): Promise<ComposedForm> {
  const now = doors.clock.now();
  const given = form as Form;
  await admitVariables(given);
  const draft = 'message' in given ? await readMime(doors, given, now) : readParts(given, now);
  const domain = draft.sender.slice(draft.sender.lastIndexOf('@') + 1) || 'localhost';
  const messageId =
    draft.messageId === undefined
      ? newMessageId({ date: now, unique: randomText(18), domain })
      : `<${draft.messageId}>`;
  const { raw } = await doors.compute.run(
    readStored,
    {
      content: draft.content,
      messageId,
      date: now,
      suppressHeaders: draft.options.suppressHeaders ?? [],
      oneClick: 'none',
      filling: undefined,
    },
    { urgency: 'answer' },
  );
  return {
    raw: Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength),
    messageId,
    sender: draft.sender,
    recipients: draft.recipients.map(({ address }) => address),
    tags: draft.tags,
  };
}
