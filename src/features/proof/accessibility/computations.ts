// What an accessibility test computes before and after a browser looks at the message, and repairs.
import {
  eachDarkVariant,
  fixAccessibility,
  judge,
  markElements,
  readMail,
  type DarkVariant,
  type FixOptions,
  type ImageMotion,
  type JudgeRequest,
} from '../../../engines/accessibility/index.ts';
import { decodeDataUrl, findImages, readImage } from '../../../engines/images/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { readHtml, readMessage, type CheckedMessage, type StoredSource } from '../_message/index.ts';

const here = import.meta.url;

/** Beyond, what fourteen kinds of dark mode make of a message is not worked out. */
const DARK_LENGTH_MAX = 500_000;

/** A picture of the message, at the address where it may be fetched. */
export interface ShownImage {
  url: string;
  resolvedUrl: string;
}

export interface PreparedMessage {
  html: string;
  subject: string | undefined;
  /** Undefined where only a whole message would tell. */
  hasText: boolean | undefined;
  /** A page crashes over what no client would show. */
  isShown: boolean;
  /** The HTML for the browser, with marks; empty when no browser shows it. */
  marked: string;
  dark: DarkVariant[];
  images: ShownImage[];
  /** Of pictures that the message carries itself, by address as written. */
  motions: Map<string, ImageMotion>;
}

function motionOf(bytes: Uint8Array): ImageMotion {
  const { isAnimated, asPlayedDurationMs, loops } = readImage(bytes);
  return { isAnimated, asPlayedDurationMs, loops };
}

/** Pictures that the message carries itself. */
function carried({ inline }: CheckedMessage, url: string): Uint8Array | undefined {
  if (/^data:/i.test(url)) return decodeDataUrl(url)?.bytes;
  const id = /^cid:(.*)$/is.exec(url)?.[1];
  return id === undefined ? undefined : inline.find(({ contentId }) => contentId === id)?.body;
}

export const prepareMessage = defineComputation(
  here,
  'prepareMessage',
  async (source: StoredSource): Promise<PreparedMessage> => {
    const message = await readMessage(source);
    const { html, subject, kind, text } = message;
    const mail = html.trim() === '' ? undefined : readMail(message.read);
    // What neither nests nor repeats elements beyond any client's limits.
    const shown = mail?.complete ? mail : undefined;
    const images = findImages(message.read, message.baseUrl).filter((image) => image.kind === 'img');
    const motions = new Map<string, ImageMotion>();
    for (const { url } of images) {
      const bytes = motions.has(url) ? undefined : carried(message, url);
      if (bytes) motions.set(url, motionOf(bytes));
    }
    return {
      html,
      subject,
      isShown: shown !== undefined,
      motions,
      hasText: kind === 'mime' ? text !== undefined : undefined,
      marked: shown ? markElements(shown) : '',
      dark: shown && html.length <= DARK_LENGTH_MAX ? [...eachDarkVariant(shown)] : [],
      images: images.map(({ url, resolvedUrl = url }) => ({ url, resolvedUrl })),
    };
  },
);

export const judgeMessage = defineComputation(here, 'judgeMessage', (request: JudgeRequest) =>
  judge(request, readHtml(request.html)),
);

/** Repairs a message. Throws `conflict` for one without HTML. */
export const fixMessage = defineComputation(
  here,
  'fixMessage',
  async ({ source, options }: { source: StoredSource; options: FixOptions }) => {
    const { html, subject } = await readMessage(source);
    if (html.trim() === '')
      throw new AppError(
        'conflict',
        'The message of this accessibility test has no HTML part; there is nothing to repair.',
      );
    const known = options.subject?.trim() || subject;
    return fixAccessibility(html, { ...options, ...(known !== undefined && { subject: known }) });
  },
);
