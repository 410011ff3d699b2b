// Edits of a message's source at positions, so that all that is not edited stays byte for byte.

import type { MailElement } from '../read-mail.ts';

export interface Edit {
  start: number;
  end: number;
  text: string;
}

export interface SourceEdits {
  /** Sets an attribute, or removes it (null), in the element's start tag. The element must have one in the source. */
  setAttribute(element: MailElement, name: string, value: string | null): void;
  replace(start: number, end: number, text: string): void;
  /** The edits of one element's start tag applied to it. */
  tagAfter(element: MailElement): string;
  /** In the order of the source; none overlap. */
  list(): Edit[];
}

/** Collects edits of `html`. */
export function createSourceEdits(html: string): SourceEdits {
  const attributes = new Map<MailElement, Map<string, string | null>>();
  const others: Edit[] = [];
  const tagEdits = (element: MailElement): Edit[] =>
    attributeEdits(html, element, attributes.get(element) ?? new Map());
  return {
    setAttribute(element, name, value) {
      const own = attributes.get(element) ?? new Map<string, string | null>();
      attributes.set(element, own.set(name, value));
    },
    replace(start, end, text) {
      others.push({ start, end, text });
    },
    tagAfter: (element) => applyEdits(html, tagEdits(element), { start: element.start!, end: element.end! }),
    list: () =>
      [...others, ...[...attributes.keys()].flatMap(tagEdits)].sort((a, b) => a.start - b.start || a.end - b.end),
  };
}

function attributeEdits(html: string, element: MailElement, changes: ReadonlyMap<string, string | null>): Edit[] {
  const place = element.node.sourceCodeLocation!;
  // Elements in conditional comments were parsed on their own: their offsets count from the comment's content.
  const base = element.start! - (place.startTag ?? place).startOffset;
  const edits: Edit[] = [];
  let added = '';
  for (const [name, value] of changes) {
    const old = place.attrs?.[name];
    const written =
      value === null
        ? ''
        : ((old &&
            rewritten(html.slice(base + old.startOffset, base + old.endOffset), {
              value,
              was: valueOf(element, name),
            })) ??
          `${name}="${escapeAttribute(value)}"`);
    if (!old) added += written && ` ${written}`;
    else {
      const [start, end] = [base + old.startOffset, base + old.endOffset];
      const blank = written === '' && /\s/.test(html[start - 1] ?? '') ? 1 : 0;
      edits.push({ start: start - blank, end, text: written });
    }
  }
  if (added !== '') {
    // Right after the name: at the end of a tag, a slash may belong to an unquoted value.
    const at = element.start! + /^<[^\s/>]*/.exec(html.slice(element.start!, element.end!))![0].length;
    edits.push({ start: at, end: at, text: added });
  }
  return edits.sort((a, b) => a.start - b.start);
}

/** The attribute with its name and quotes as they are, where its value stands in the source letter by letter. */
function rewritten(source: string, { value, was }: { value: string; was: string }): string | undefined {
  const quote = source.at(-1)!;
  const head = source.slice(0, source.indexOf('=') + 1) + /^\s*/.exec(source.slice(source.indexOf('=') + 1))![0];
  const isPlain =
    (quote === '"' || quote === "'") && source === `${head}${quote}${was}${quote}` && !value.includes(quote);
  return isPlain ? `${head}${quote}${value}${quote}` : undefined;
}

function valueOf({ node }: MailElement, name: string): string {
  return node.attrs.find((attribute) => attribute.name === name)?.value ?? '';
}

function escapeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/** The text, or the part of it from `start` to `end`, with edits made that lie in it. */
export function applyEdits(text: string, edits: readonly Edit[], { start = 0, end = text.length } = {}): string {
  let result = '';
  let at = start;
  for (const edit of edits) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at, end);
}
