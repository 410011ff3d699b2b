// Mail on iPhone and iPad. What Apple Mail on the Mac does, WebKit does by itself.

import { generate, walk, type CssNode } from 'css-tree';
import { attributeOf, elementsOf, type Plugin, type WorkingDocument } from '../working-document.ts';
import { fitWidthPlugin } from './fit-width.ts';
import { linkText, type TextKind } from './link-text.ts';

const detectorOf: Record<TextKind, string> = {
  url: 'link',
  email: 'link',
  domain: 'link',
  phone: 'telephone',
  date: 'calendar-event',
  address: 'address',
};

/**
 * Data detectors link phone numbers, dates, addresses, web and email addresses, unless a `format-detection` meta
 * element forbids; a message wider than the screen is scaled, unless `x-apple-disable-message-reformatting` is there.
 */
export const appleMailIosPlugin: Plugin = (doc, client, options) => {
  answerSupports(doc);
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

/**
 * What Mail's WebKit answers to `@supports`, and the engine that draws may not: touch scrolling is the iPhone's alone
 * (howtotarget, 2021-06-14), and full-width text came with iOS 17 (howtotarget, 2023-12-19).
 */
function answerSupports(doc: WorkingDocument): void {
  for (const style of doc.styles) {
    walk(style.ast, (node: CssNode) => {
      if (node.type !== 'Atrule' || node.name.toLowerCase() !== 'supports' || !node.prelude) return;
      const condition = generate(node.prelude);
      const answered = condition
        .replace(/\(\s*-webkit-overflow-scrolling\s*:\s*touch\s*\)/gi, '(display:block)')
        .replace(/\(\s*text-transform\s*:\s*full-width\s*\)/gi, '(display:block)');
      if (answered !== condition) node.prelude = { type: 'Raw', value: answered };
    });
  }
}

/** Apple Mail on the Mac: WebKit does the rest by itself. */
export const appleMailMacPlugin: Plugin = (doc) => answerSupports(doc);

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
