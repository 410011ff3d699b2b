// Fonts by system: a message is shown with what the client's system has (data/clients/fonts.json).

import { generate, walk, type CssNode } from 'css-tree';
import data from '../../../data/clients/fonts.json' with { type: 'json' };
import type { ClientProfile } from './types.ts';
import {
  attributeOf,
  elementsOf,
  inlineStyleOf,
  setAttribute,
  setValue,
  valueOf,
  type WorkingDocument,
} from './working-document.ts';

interface System {
  aliases: Readonly<Record<string, string>>;
  absent: readonly string[];
  last: string;
}

/** The system that a client runs on; undefined where the browser's isn't known, as of webmail on a desktop. */
function systemOf({ os, engine }: ClientProfile): System | undefined {
  // The real Thunderbird draws with the stand-in fonts here, and its stand-in is held to it.
  if (engine === 'thunderbird') return undefined;
  if (/^Chrome ?OS/i.test(os)) return data.systems.chromeos;
  if (/^Linux/i.test(os)) return data.systems.linux;
  if (/^Android/i.test(os)) return data.systems.android;
  if (/^(?:iOS|iPadOS|macOS)/i.test(os)) return data.systems.apple;
  return /^Windows/i.test(os) ? data.systems.windows : undefined;
}

/** Everything of `font` up to the family. */
const SHORTHAND =
  /^([^/]*?(?:\d(?:px|pt|pc|in|cm|mm|em|rem|ex|%)|small|medium|large|smaller|larger)(?:\s*\/\s*\S+)?\s+)(\D.*)$/i;
/** Longer stacks are no stacks. */
const STACK_MAX = 1000;

/** Replaces the names of fonts by those that the client's system shows for them. */
export function useSystemFonts(doc: WorkingDocument, client: ClientProfile): void {
  const system = systemOf(client);
  if (!system) return;
  const declared = declaredFonts(doc);
  const known = new Map<string, string>();
  const stack = (value: string): string => {
    let shown = known.get(value);
    if (shown === undefined) known.set(value, (shown = stackOn(system, value, declared)));
    return shown;
  };
  const change = (node: CssNode): void => {
    if (node.type !== 'Declaration') return;
    const property = node.property.toLowerCase();
    if (property !== 'font-family' && property !== 'font') return;
    const value = valueOf(node);
    const [, before = '', families = ''] = (property === 'font' ? SHORTHAND.exec(value) : ['', '', value]) ?? [];
    const shown = families && stack(families);
    if (shown !== families) setValue(node, before + shown);
  };
  for (const style of doc.styles) {
    walk(style.ast, {
      enter(node: CssNode) {
        // The names in @font-face are the message's own.
        if (node.type === 'Atrule' && node.name.toLowerCase() === 'font-face') return walk.skip;
        change(node);
        return undefined;
      },
    });
  }
  for (const el of elementsOf(doc.html)) {
    inlineStyleOf(doc, el)?.children.forEach(change);
    const face = el.tagName === 'font' ? attributeOf(el, 'face') : undefined;
    if (face) setAttribute(el, 'face', stack(face));
  }
}

/** Web fonts that the message brings along, lower case: a client may load them, whatever its system has. */
function declaredFonts(doc: WorkingDocument): ReadonlySet<string> {
  const names = new Set<string>();
  const addServices = (text: string): void => {
    for (const [, list = ''] of text.slice(0, STACK_MAX).matchAll(/[?&;]family=([^&"')]+)/g))
      for (const one of list.split('|'))
        names.add(
          one
            .split(':')[0]!
            .replaceAll(/\+|%20/g, ' ')
            .toLowerCase(),
        );
  };
  for (const { ast } of doc.styles) {
    ast.children.forEach((node) => {
      if (node.type !== 'Atrule') return;
      if (node.name.toLowerCase() === 'import' && node.prelude) addServices(generate(node.prelude));
      if (node.name.toLowerCase() !== 'font-face') return;
      node.block?.children.forEach((inner) => {
        if (inner.type === 'Declaration' && inner.property.toLowerCase() === 'font-family')
          names.add(nameOf(valueOf(inner)));
      });
    });
  }
  for (const el of elementsOf(doc.head)) if (el.tagName === 'link') addServices(attributeOf(el, 'href') ?? '');
  return names;
}

const nameOf = (family: string): string =>
  family
    .trim()
    .replace(/^["']|["']$/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();

function stackOn({ aliases, absent, last }: System, value: string, declared: ReadonlySet<string>): string {
  if (value.length > STACK_MAX || value.includes('(')) return value;
  const families = value.split(',').map((family) => family.trim());
  if (families.length === 1 && /^(?:inherit|initial|unset|revert)$/i.test(families[0]!)) return value;
  const shown = families.flatMap((family) => {
    const name = nameOf(family);
    if (declared.has(name)) return [family];
    if (absent.includes(name)) return [];
    return [Object.hasOwn(aliases, name) ? aliases[name]! : family];
  });
  if (shown.length === families.length && shown.every((family, i) => family === families[i])) return value;
  return shown.length > 0 ? shown.join(',') : last;
}
