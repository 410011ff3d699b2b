// What the message tells Office about itself, read back from the markers that `resolveConditionals` left.

import { attributeOf, elementsOf, removeNode, type WorkingDocument } from '../working-document.ts';
import type { ClientProfile } from '../types.ts';
import type { WebFont } from '../../source/index.ts';

interface OfficeSettings {
  /** `<o:PixelsPerInch>` of the message, or undefined. */
  pixelsPerInch: number | undefined;
  /** Web fonts that the message declares, by lower-case family. */
  webFonts: ReadonlyMap<string, WebFont>;
  /** Conditional comments that a line break or a wrong end made void. */
  brokenConditions: number;
}

const known = new WeakMap<WorkingDocument, OfficeSettings>();

/** The message's Office settings; its markers leave the tree at the first call. */
export function officeSettingsOf(doc: WorkingDocument): OfficeSettings {
  let settings = known.get(doc);
  if (!settings) known.set(doc, (settings = readMarkers(doc)));
  return settings;
}

/** `resolveConditionals` writes fewer; a sender who writes them too only fools their own picture. */
const MARKERS_MAX = 100;

function readMarkers(doc: WorkingDocument): OfficeSettings {
  const webFonts = new Map<string, WebFont>();
  let pixelsPerInch: number | undefined;
  let markers = 0;
  let brokenConditions = 0;
  for (const el of elementsOf(doc.document)) {
    if (el.tagName !== 'meta' || markers >= MARKERS_MAX) continue;
    const name = attributeOf(el, 'name');
    const content = attributeOf(el, 'content') ?? '';
    if (name === 'office-pixels-per-inch') pixelsPerInch = Number(content);
    else if (name === 'office-broken-conditions') brokenConditions = Number(content) || 1;
    else if (name === 'office-web-font') {
      const generic = attributeOf(el, 'data-generic') ?? '';
      webFonts.set(content.toLowerCase(), {
        family: content,
        generic,
        alternative: attributeOf(el, 'data-alternative') ?? '',
      });
    } else continue;
    markers++;
    removeNode(el);
  }
  return { pixelsPerInch, webFonts, brokenConditions };
}

/** The year of an Outlook for Windows, such as 2016; Microsoft 365 and Windows Mail count as newest. */
export function wordYearOf(client: ClientProfile): number {
  return Number(/\b20\d\d\b/.exec(client.version)?.[0] ?? 9999);
}
