// The style sheets that make Chromium lay a message out like Word. Each rule says where it is known from:
// [c] caniemail.com, outlook.windows (MIT, the dates are in data/caniemail), [s] another public source, [k] common
// knowledge, unsourced.

/** Out-ranks any selector of a message: three ids that no element has. */
const rank = ':not(#_):not(#_):not(#_)';

/** Elements drawn from VML carry their own geometry. */
const vml = 'vml-shape,vml-text,vml-center';

/** How far an image reaches out of an exact line, as a negative (`min`) or positive (`max`) length; else zero. */
function cut(side: 'min' | 'max'): string {
  const [from, to] =
    side === 'min' ? ['var(--word-line,9999px)', 'var(--word-h)'] : ['var(--word-h)', 'var(--word-line,9999px)'];
  return `calc(var(--word-exactly,0)*sign(var(--word-line,0px))*${side}(0px,${from} - ${to}))`;
}

/** Goes first in the head, without specificity: anything the message says wins. */
export const wordDefaults = [
  // [s] Text in a table doesn't inherit the font around the table: newspindesign.com, 2008-02-21; help.addemar.com faq
  // 173 (read 2026-11-21).
  ':where(td,th){font-family:"Times New Roman",Tinos,serif}',
  // [k] A list's text starts half an inch in, and `margin-left` replaces that.
  ':where(ul,ol){margin-left:48px}',
].join('');

/** Goes last, and wins over everything but inline `!important`, which is this plug-in's own. */
export const wordRules = [
  // [c] css-padding: only on table cells.
  // [s] A paragraph with a border keeps it: goodemailcode.com, "Using MSO- styles in email", 2023-03-01.
  `:not(td,th,body,html,${vml},p[style*=border])${rank}{padding:0!important}`,
  // [c] css-margin, css-padding: not on <body>; [k] Word's web layout keeps a narrow margin of its own.
  `body${rank}{margin:8px!important;padding:0!important}`,
  // [c] css-width: not on <body>, <span>, <div>, <p>, <img>; css-height: the same but <img>.
  `:is(body,span,div,p)${rank}{width:auto!important;height:auto!important}`,
  `img${rank}{width:auto!important}`,
  // [c] css-max-width: only on <table>, and there since 2019 (what is older has lost the property by now).
  `:not(table,${vml})${rank}{max-width:none!important}`,
  // [c] css-margin: not on <span>; `auto` isn't supported, so that only the attribute can center a table.
  `span${rank}{margin:0!important}`,
  `table[align=center i]${rank}{margin-left:auto!important;margin-right:auto!important}`,
  // [s] Word puts 2.25pt beside a table with `align` unless mso-table-lspace/-rspace say otherwise: it writes these
  // values itself when it saves such a message (many public copies, such as mail-flow rules of 2019-2023).
  '@property --word-lspace{syntax:"<length>";inherits:false;initial-value:3px}',
  '@property --word-rspace{syntax:"<length>";inherits:false;initial-value:3px}',
  // [s] -tspace and -bspace: goodemailcode.com, "Using MSO- styles in email", 2023-03-01.
  `table:is([align=left i],[align=right i])${rank}{margin:var(--word-tspace,0) var(--word-rspace) ` +
    'var(--word-bspace,0) var(--word-lspace)!important}',
  // [s] Aligned pictures have the same gap: github.com/hteumeuleu/caniemail/issues/604, 2026-09-22.
  `img:is([align=left i],[align=right i])${rank}{margin-left:var(--word-lspace)!important;` +
    'margin-right:var(--word-rspace)!important}',
  // [s] A frame has the width that it says: same page.
  `:is(div,p)[style*="--word-frame:"]${rank}{width:var(--word-frame)!important}`,
  // [s] Pictures end after 18 inches: blogs.msdn.microsoft.com/sfellman, 2008-09-17.
  `img${rank}{max-height:1728px!important;object-fit:cover;object-position:top}`,
  // [c] css-display: only `none`. Word knows nothing of inline blocks; a block link is inline text.
  `:is(a,b,strong,i,em,u,s,font,small,big,sub,sup,code,label)${rank}{float:none!important;position:static!important}`,
  // [s] An exact line shows only its height of an image, from below (Campaign Monitor engineering, "Fixing bugs with
  // Outlook-specific CSS", quoted at unlayer.canny.io, read 2026-11-21). Only where the image's height is known from
  // its attribute.
  `img${rank}{--word-line:inherit!important}`,
  `img[style*="--word-h:"]${rank}{margin-top:${cut('min')}!important;clip-path:inset(${cut('max')} 0 0 0)!important}`,
  // Line height as rewritten by word-declarations.ts.
  `:not(html)${rank}{line-height:var(--word-line,normal)!important}`,
].join('');
