// A message read once for all checks, and the words that findings about it are made of.

import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { elementPaths } from './element-paths.ts';
import { readMessage, type LocatedElement, type LocatedMessage } from './read-message.ts';
import { lineColumnAt, lineStartsOf, snippetOf } from './source-lines.ts';
import type { Place } from '../findings/index.ts';
import { readableRuns, type TextRun } from './readable-text.ts';

export interface MessageToCheck {
  /** Decoded text of the HTML part. */
  html: string;
  subject?: string;
  /** All header fields; without them nothing is said about headers. */
  headers?: readonly { name: string; value: string }[];
  /** The text/plain part, empty when there is none; undefined when that isn't known. */
  text?: string;
  /** The whole message in bytes, as it is sent. */
  rawBytes?: number;
  /** Charsets that its parts do not name, or name wrongly, a sentence each. */
  charsetProblems?: readonly string[];
}

export interface MessageUnderCheck extends MessageToCheck {
  message: LocatedMessage;
  /** Text that readers or the inbox can see, in order. */
  runs: TextRun[];
  placeAt(start: number, end: number, element?: Tree.Element): Place;
  placeOf(element: LocatedElement): Place;
}

export function readForChecks(input: MessageToCheck): MessageUnderCheck {
  const message = readMessage(input.html);
  const lines = lineStartsOf(input.html);
  let paths: ReturnType<typeof elementPaths> | undefined;
  const placeAt = (start: number, end: number, element?: Tree.Element): Place => {
    paths ??= elementPaths(message.elements.filter(({ readers }) => !readers).map(({ node }) => node));
    const selector = element && paths(element);
    return {
      ...lineColumnAt(lines, start),
      offset: start,
      snippet: snippetOf(input.html, start, end),
      ...(selector !== undefined && { selector }),
    };
  };
  return {
    ...input,
    message,
    runs: readableRuns(message),
    placeAt,
    placeOf: ({ node, base, readers }) => {
      const place = node.sourceCodeLocation!;
      const tag = place.startTag ?? place;
      return placeAt(base + tag.startOffset, base + tag.endOffset, readers ? undefined : node);
    },
  };
}

/** Elements of the document, without elements that only Word reads. */
export function shownElements({ message }: MessageUnderCheck): LocatedElement[] {
  return message.elements.filter(({ readers }) => !readers);
}

export function attributeOf(node: Tree.Element, name: string): string | undefined {
  for (const attr of node.attrs) if (attr.name === name) return attr.value;
  return undefined;
}

/** `34 KB`: kilobytes of 1,024, as Gmail counts them. */
export function kilobytes(bytes: number): string {
  const size = bytes / 1024;
  return `${size >= 10 ? Math.round(size) : Math.round(size * 10) / 10} KB`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** A text for a sentence: on one line, shortened. */
export function quoted(text: string, max = 60): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `“${line.length > max ? `${line.slice(0, max - 1)}…` : line}”`;
}
