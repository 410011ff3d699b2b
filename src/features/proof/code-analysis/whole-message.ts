// What only a whole message tells of its code: header fields, an AMP part, the formats of pictures that it carries.
import type { AnalyzeOptions } from '../../../engines/code-analysis/index.ts';
import { readImage } from '../../../engines/images/index.ts';
import { parseMime } from '../../../engines/mime/index.ts';
import type { CheckedMessage } from '../_message/index.ts';

const AMP_TYPE = 'text/x-amp-html';

/** The names that the support data's features go by. */
function formatOf(bytes: Uint8Array): string | undefined {
  const { format, isAnimated } = readImage(bytes);
  if (format === 'png' && isAnimated) return 'apng';
  return format === 'jpeg' ? 'jpg' : (format ?? undefined);
}

async function hasAmpPart(raw: Buffer): Promise<boolean> {
  // A message is not parsed twice for nothing.
  if (!raw.includes(AMP_TYPE)) return false;
  const { attachments } = await parseMime(raw);
  return attachments.some(({ contentType }) => contentType === AMP_TYPE);
}

/** For `analyzeCode`; of HTML alone nothing is known. */
export async function outsideOfHtml({ raw, headerList, inline }: CheckedMessage): Promise<AnalyzeOptions> {
  if (!raw) return {};
  const formats = inline.flatMap(({ contentId, body }) => {
    const format = formatOf(body);
    return format === undefined ? [] : [[`cid:${contentId}`, format] as const];
  });
  return { headers: headerList, ampHtml: (await hasAmpPart(raw)) ? AMP_TYPE : '', imageFormats: new Map(formats) };
}
