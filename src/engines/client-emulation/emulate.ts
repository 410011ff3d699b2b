// The pipeline: one message, one client, one document that shows what the client would.

import { applyDarkMode } from './dark-mode.ts';
import { applySupport, replaceBody } from './filter-features.ts';
import { blockImages } from './image-blocking.ts';
import { workOn, type ParsedMessage } from './parse-message.ts';
import { plugins } from './plugins/index.ts';
import { serialize } from './serialize-document.ts';
import { applyDefaults } from './shell.ts';
import { useSystemFonts } from './system-fonts.ts';
import type { ClientProfile, EmulatedDocument, EmulateOptions } from './types.ts';

/**
 * Shows a message as one client would.
 * @param message from `parseMessage`; share it between clients.
 * @param options `images: false` shows it with images blocked.
 * @returns a complete HTML document, notes for the reader, and whether the engine must darken it as well.
 */
export function emulate(message: ParsedMessage, client: ClientProfile, options: EmulateOptions): EmulatedDocument {
  const doc = workOn(message, msoVersionOf(client));
  applySupport(doc, client, options);
  for (const name of client.plugins) {
    const plugin = plugins[name];
    if (!plugin) throw new Error(`The client ${client.id} names the plug-in ${name}, which does not exist.`);
    plugin(doc, client, options);
  }
  useSystemFonts(doc, client);
  replaceBody(doc, client);
  if (!options.images) blockImages(doc, client);
  applyDarkMode(doc, client);
  applyDefaults(doc, client);
  const { notes, forceDark, clippedCharacters } = doc;
  return { html: serialize(doc), notes, forceDark, ...(clippedCharacters !== undefined && { clippedCharacters }) };
}

/**
 * The number that Word answers to `[if mso N]`: 12 in 2007, 14 in 2010, 15 in 2013, 16 in all later ones and in Windows
 * Mail. Null for every client that does not read conditional comments as Word does (Outlook 2003 showed messages with
 * Internet Explorer).
 */
function msoVersionOf(client: ClientProfile): number | null {
  const { support } = client;
  if (support?.family !== 'outlook' || !/^windows(-mail)?$/.test(support.platform)) return null;
  return support.version === '2003' ? null : ({ 2007: 12, 2010: 14, 2013: 15 }[support.version] ?? 16);
}
