// What reading a watched page computes; it runs where it can be ended.
import { textOf } from '../../../engines/html/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';
import type { PageChange } from './contract.ts';
import { changeOfPage } from './page-change.ts';

/** Characters of text that are compared. */
export const TEXT_LENGTH_MAX = 200_000;

/** The text of a page, cut to a bound, and what changed in it; `change` is undefined where nothing did. */
export const readPage = defineComputation(
  import.meta.url,
  'readPage',
  ({ html, before }: { html: Uint8Array; before: string | undefined }): ReadPage => {
    const whole = textOf(Buffer.from(html).toString('utf8'));
    const text = whole.slice(0, TEXT_LENGTH_MAX);
    const change = before === undefined ? undefined : changeOfPage(before, text);
    return { text, isCut: whole.length > TEXT_LENGTH_MAX, ...(change && { change }) };
  },
);

interface ReadPage {
  text: string;
  isCut: boolean;
  change?: PageChange;
}
