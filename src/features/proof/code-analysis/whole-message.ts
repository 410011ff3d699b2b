// Facts about code that only a whole message has: header fields, an AMP part, the formats of attached pictures.
import type { AnalyzeOptions } from '../../../engines/code-analysis/index.ts';
import { readImage } from '../../../engines/images/index.ts';
import type { CheckedMessage } from '../_message/index.ts';

const AMP_TYPE = 'text/x-amp-html';

/** The names that the support data's features go by. */
function formatOf(bytes: Uint8Array): string | undefined {
  const { format, isAnimated } = readImage(bytes);
  if (format === 'png' && isAnimated) return 'apng';
  return format === 'jpeg' ? 'jpg' : (format ?? undefined);
}

/** For `analyzeCode`; of HTML alone nothing is known. */
export function outsideOfHtml({ raw, headerList, inline, attachedTypes }: CheckedMessage): AnalyzeOptions {
  if (!raw) return {};
  const formats = inline.flatMap(({ contentId, body }) => {
    const format = formatOf(body);
    return format === undefined ? [] : [[`cid:${contentId}`, format] as const];
  });
  return {
    headers: headerList,
    ampHtml: attachedTypes.includes(AMP_TYPE) ? AMP_TYPE : '',
    imageFormats: new Map(formats),
  };
}
