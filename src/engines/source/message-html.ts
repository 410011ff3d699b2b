// The HTML of a message, read once for all that look at it: each part is made when it is first asked for, and kept.
import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { Place } from '../findings/index.ts';
import {
  locatedElements,
  readDocument,
  type LocatedElement as WrittenElement,
  type ReadDocument,
} from '../html/index.ts';
import { elementPaths } from './element-paths.ts';
import { readMessage, type LocatedElement, type LocatedMessage } from './read-message.ts';
import { readableRuns, type TextRun } from './readable-text.ts';
import { lineColumnAt, lineStartsOf, snippetOf } from './source-lines.ts';

export interface MessageHtml {
  /** As it was given. */
  readonly html: string;
  /** What the parser makes of it, within bounds. */
  readonly document: ReadDocument;
  /** The document with its places, texts, comments and conditional comments; nobody changes it. */
  readonly message: LocatedMessage;
  /** Every element as written, those in conditional comments included, in order; nobody changes them. */
  readonly written: readonly WrittenElement[];
  /** Text that readers or the inbox can see, in order. */
  readonly runs: TextRun[];
  placeAt(start: number, end: number, element?: Tree.Element): Place;
  placeOf(element: LocatedElement): Place;
}

/** What is read on first use, and never again. */
function once<Value>(read: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: read() }).value;
}

/** Reads nothing yet. What is given read already is answered as it is. */
export function messageHtml(given: string | MessageHtml): MessageHtml {
  if (typeof given !== 'string') return given;
  const html = given;
  const document = once(() => readDocument(html));
  const message = once(() => readMessage(html, document()));
  const written = once(() => [...locatedElements(html, document())]);
  const runs = once(() => readableRuns(message()));
  const lines = once(() => lineStartsOf(html));
  const paths = once(() => elementPaths(message().elements.flatMap(({ node, readers }) => (readers ? [] : [node]))));
  const placeAt = (start: number, end: number, element?: Tree.Element): Place => {
    const selector = element && paths()(element);
    return {
      ...lineColumnAt(lines(), start),
      offset: start,
      snippet: snippetOf(html, start, end),
      ...(selector !== undefined && { selector }),
    };
  };
  return {
    html,
    get document() {
      return document();
    },
    get message() {
      return message();
    },
    get written() {
      return written();
    },
    get runs() {
      return runs();
    },
    placeAt,
    placeOf: ({ node, base, readers }) => {
      const place = node.sourceCodeLocation!;
      const tag = place.startTag ?? place;
      return placeAt(base + tag.startOffset, base + tag.endOffset, readers ? undefined : node);
    },
  };
}
