// XML read strictly, as far as reports use it: elements, attributes, text, the five named and the numeric references.

interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

// XML 1.0 §2.2: every character a document may hold.
// oxlint-disable-next-line no-control-regex
const NOT_A_CHARACTER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function resolve(text: string): string {
  return text.replaceAll(
    /&(?:#(\d+);|(amp|lt|gt|quot|apos);|)/g,
    (all, code: string | undefined, name: string | undefined) => {
      if (all === '&') throw new Error('A bare & is not allowed.');
      const character = code === undefined ? (NAMED[name as string] as string) : String.fromCodePoint(Number(code));
      if (NOT_A_CHARACTER.test(character)) throw new Error(`${all} stands for no character of XML.`);
      return character;
    },
  );
}

function readAttributes(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  const rest = text.replaceAll(/\s+([A-Za-z][\w-]*)="([^"<]*)"/g, (_all, name: string, value: string) => {
    if (name in found) throw new Error(`The attribute ${name} stands twice.`);
    found[name] = resolve(value.replaceAll(/[\t\n\r]/g, ' '));
    return '';
  });
  if (rest.trim()) throw new Error(`No attributes: ${rest}`);
  return found;
}

/** The root element. Throws for anything that is not well-formed. */
export function readXml(document: string): XmlElement {
  const bad = NOT_A_CHARACTER.exec(document);
  if (bad) throw new Error(`U+${bad[0].codePointAt(0)?.toString(16)} is no character of XML.`);
  const body = document.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  const top: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  for (const [token, text] of body.matchAll(/<[^>]*>|([^<]+)/g)) {
    const parent = open.at(-1) as XmlElement;
    if (text !== undefined) {
      if (text.includes(']]>')) throw new Error(']]> may not stand in text.');
      parent.text += resolve(text);
      continue;
    }
    const tag = /^<(\/?)([A-Za-z][\w-]*)((?:\s+[\w-]+="[^"]*")*)\s*(\/?)>$/.exec(token);
    if (!tag) throw new Error(`No tag: ${token.slice(0, 80)}`);
    const [, isEnd, name = '', attributes = '', isEmpty] = tag;
    if (isEnd) {
      if (open.pop()?.name !== name || open.length === 0) throw new Error(`</${name}> closes nothing.`);
      continue;
    }
    const element: XmlElement = { name, attributes: readAttributes(attributes), children: [], text: '' };
    parent.children.push(element);
    if (!isEmpty) open.push(element);
  }
  if (open.length !== 1 || top.children.length !== 1 || top.text.trim())
    throw new Error('There is not exactly one root element.');
  return top.children[0] as XmlElement;
}
