// The document that the HTML of a message is, read once for all who look at it.
import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { boundedParser } from './bounded-parser.ts';

export interface ReadDocument {
  /** Every element and attribute with its place in the source; nobody changes it. */
  document: Tree.Document;
  /** False when the message nests or repeats elements beyond any client's limits, and was read in part. */
  isComplete: boolean;
  /** How many elements the parser made, and how many were open at once at most. */
  made: { elements: number; depth: number };
}

/**
 * More than any message has. Adoption of misnested tags can multiply a small source beyond all memory; the parser's
 * work grows with the square of the depth, and browsers flatten what is deeper than 512.
 */
export const DOCUMENT_LIMITS = { elementsMax: 200_000, depthMax: 12_000 } as const;

/** Parses a message's HTML, scripting off, with the place of everything. Never throws for what it holds. */
export function readDocument(html: string): ReadDocument {
  const parser = boundedParser({ ...DOCUMENT_LIMITS, isLocated: true });
  const document = parser.parse(html);
  return { document, isComplete: parser.isComplete, made: { ...parser.made } };
}
