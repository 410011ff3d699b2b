// A message read once for all checks, and the words that findings about it are made of.

import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { messageHtml, type MessageHtml } from './message-html.ts';
import type { LocatedElement } from './read-message.ts';

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

export type MessageUnderCheck = MessageToCheck & MessageHtml;

/** The message with its HTML read, or to be read when a check asks; `read` is that HTML where somebody has read it. */
export function readForChecks(input: MessageToCheck, read: MessageHtml = messageHtml(input.html)): MessageUnderCheck {
  const { placeAt, placeOf } = read;
  return {
    ...input,
    get document() {
      return read.document;
    },
    get message() {
      return read.message;
    },
    get written() {
      return read.written;
    },
    get runs() {
      return read.runs;
    },
    placeAt,
    placeOf,
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
