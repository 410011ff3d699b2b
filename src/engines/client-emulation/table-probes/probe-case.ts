// A small message that uses something, and where to look for it afterwards.

export interface ProbeCase {
  html: string;
  /** In the form that `find-needle.ts` reads. */
  needle: string;
}

/** What a note of the data means, in literal messages. */
export interface NoteExpectation {
  goes?: ProbeCase[];
  stays?: ProbeCase[];
  /** The first needle is gone, the second is there. */
  becomes?: (ProbeCase & { after: string })[];
}

/** A declaration in a style attribute. */
export function inline(declaration: string, tag = 'div'): ProbeCase {
  const cell = tag === 'td' || tag === 'th';
  const attribute = `class="probe" style="${declaration.replaceAll('"', '&quot;')}"`;
  const html =
    tag === 'body'
      ? `<body ${attribute}>x</body>`
      : tag === 'img'
        ? `<img ${attribute}>`
        : `<${tag} ${attribute}>x</${tag}>`;
  return { html: cell ? `<table><tr>${html}</tr></table>` : html, needle: `inline:${declaration}` };
}

/** A style sheet in the head. The needle is text of the sheet that comes out. */
export function css(text: string, needle: string): ProbeCase {
  return {
    html: `<html><head><style>${text}</style></head><body><p class="one two" id="one">x</p></body></html>`,
    needle: `css:${needle}`,
  };
}

/** HTML; the needle names an element or an attribute. */
export function html(text: string, needle: string): ProbeCase {
  return { html: text, needle };
}
