// The pipeline: one message, one client, one document that shows what the client would.

import { applySupport } from './filter-features.ts';
import { workOn, type ParsedMessage } from './parse-message.ts';
import { serialise } from './serialise-document.ts';
import type { ClientProfile, EmulatedDocument, EmulateOptions } from './types.ts';

/**
 * Shows a message as one client would.
 * @param message from `parseMessage`; share it between clients.
 * @returns a complete HTML document, what the reader should be told, and whether the engine must darken it as well.
 */
export function emulate(message: ParsedMessage, client: ClientProfile, options: EmulateOptions): EmulatedDocument {
  const doc = workOn(message, msoVersionOf(client));
  applySupport(doc, client, options);
  return { html: serialise(doc), notes: doc.notes, forceDark: doc.forceDark };
}

/**
 * The number that Word answers to `[if mso N]`: 12 in 2007, 14 in 2010, 15 in 2013, 16 in all later ones and in Windows
 * Mail. Null for every client that does not read conditional comments.
 */
export function msoVersionOf(client: ClientProfile): number | null {
  const { support } = client;
  if (support?.family !== 'outlook' || !/^windows(-mail)?$/.test(support.platform)) return null;
  return { 2007: 12, 2010: 14, 2013: 15 }[support.version] ?? 16;
}
