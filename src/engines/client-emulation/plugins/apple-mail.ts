// Mail on iPhone and iPad. What Apple Mail on the Mac does, WebKit does by itself.

import { attributeOf, elementsOf, type Plugin, type WorkingDocument } from '../working-document.ts';
import { fitWidthPlugin } from './fit-width.ts';
import { linkText, type TextKind } from './link-text.ts';

const detectorOf: Record<TextKind, string> = {
  url: 'link',
  email: 'link',
  phone: 'telephone',
  date: 'calendar-event',
  address: 'address',
};

/**
 * Data detectors link phone numbers, dates, addresses, web and email addresses, unless a `format-detection` meta
 * element forbids; a message wider than the screen is scaled, unless `x-apple-disable-message-reformatting` is there.
 */
export const appleMailIosPlugin: Plugin = (doc, client, options) => {
  const kinds = detectedKinds(doc);
  if (kinds.length > 0) {
    linkText(doc, {
      kinds,
      attributes: (kind) => ({
        dir: 'ltr',
        'x-apple-data-detectors': 'true',
        'x-apple-data-detectors-type': detectorOf[kind],
      }),
    });
  }
  if (!metaContents(doc, 'x-apple-disable-message-reformatting').length) fitWidthPlugin(doc, client, options);
};

function detectedKinds(doc: WorkingDocument): TextKind[] {
  const forbidden = metaContents(doc, 'format-detection').join(',').toLowerCase();
  const names: [TextKind, string][] = [
    ['url', 'url'],
    ['email', 'email'],
    ['phone', 'telephone'],
    ['date', 'date'],
    ['address', 'address'],
  ];
  return names.filter(([, name]) => !new RegExp(`\\b${name}\\s*=\\s*no\\b`).test(forbidden)).map(([kind]) => kind);
}

function metaContents(doc: WorkingDocument, name: string): string[] {
  return elementsOf(doc.html)
    .filter((el) => el.tagName === 'meta' && attributeOf(el, 'name')?.trim().toLowerCase() === name)
    .map((el) => attributeOf(el, 'content') ?? '');
}
