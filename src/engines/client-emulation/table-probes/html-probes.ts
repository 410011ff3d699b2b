// Literal HTML that uses one feature each. Written from the features' own pages, not from the rules.

interface HtmlProbe {
  html: string;
  /** `video`, `td[align]` or `a[href=#]`: found in the output, or not. */
  needle: string;
  /** What stays to be read when the feature goes. */
  left?: string;
}

const field = (type: string): HtmlProbe => ({
  html: `<p><input type="${type}" name="f"></p>`,
  needle: `input[type=${type}]`,
});
const wrap = (name: string): HtmlProbe => ({
  html: `<div><${name}>inside</${name}></div>`,
  needle: name,
  left: 'inside',
});
const on = (tag: string, attribute: string): HtmlProbe => {
  const name = attribute.split('=', 1)[0]!;
  return { html: `<div><${tag} ${attribute}>inside</${tag}></div>`, needle: `${tag}[${name}]`, left: 'inside' };
};
const picture = (extension: string): HtmlProbe => ({
  html: `<p><img src="https://x.test/a.${extension}" alt="x"></p>`,
  needle: `img[src=https://x.test/a.${extension}]`,
});

export const htmlProbes: Record<string, HtmlProbe> = {
  'css-inert-attribute': on('div', 'inert'),
  'html-abbr': wrap('abbr'),
  'html-acronym': wrap('acronym'),
  'html-address': wrap('address'),
  'html-align': on('p', 'align="center"'),
  'html-anchor-links': {
    html: '<p><a href="#there">x</a> <b id="there">inside</b></p>',
    needle: 'a[href=#there]',
    left: 'inside',
  },
  'html-aria-describedby': on('p', 'aria-describedby="d"'),
  'html-aria-hidden': on('p', 'aria-hidden="true"'),
  'html-aria-label': on('p', 'aria-label="l"'),
  'html-aria-labelledby': on('p', 'aria-labelledby="l"'),
  'html-aria-live': on('p', 'aria-live="polite"'),
  'html-audio': { html: '<audio src="https://x.test/a.mp3" controls><i>inside</i></audio>', needle: 'audio' },
  'html-background': {
    html: '<table><tr><td background="https://x.test/a.png">inside</td></tr></table>',
    needle: 'td[background=https://x.test/a.png]',
    left: 'inside',
  },
  'html-base': {
    html: '<head><base href="https://x.test/"></head><body><a href="page">inside</a></body>',
    needle: 'base',
    left: 'inside',
  },
  'html-bdi': wrap('bdi'),
  'html-blockquote': wrap('blockquote'),
  'html-body': { html: '<body bgcolor="#010203"><p>inside</p></body>', needle: 'body[bgcolor]', left: 'inside' },
  'html-button-reset': {
    html: '<p><button type="reset">inside</button></p>',
    needle: 'button[type=reset]',
    left: 'inside',
  },
  'html-button-submit': {
    html: '<p><button type="submit">inside</button></p>',
    needle: 'button[type=submit]',
    left: 'inside',
  },
  'html-cellpadding': {
    html: '<table cellpadding="7"><tr><td>inside</td></tr></table>',
    needle: 'table[cellpadding]',
    left: 'inside',
  },
  'html-cellspacing': {
    html: '<table cellspacing="7"><tr><td>inside</td></tr></table>',
    needle: 'table[cellspacing]',
    left: 'inside',
  },
  'html-code': wrap('code'),
  'html-comments': { html: '<p>a</p><!--probe-->', needle: 'comment:probe' },
  'html-del': wrap('del'),
  'html-dfn': { html: '<p><dfn title="t">inside</dfn></p>', needle: 'dfn', left: 'inside' },
  'html-dialog': { html: '<dialog open>inside</dialog>', needle: 'dialog', left: 'inside' },
  'html-dir': on('p', 'dir="rtl"'),
  'html-div': wrap('div'),
  'html-doctype': { html: '<!doctype html><p>inside</p>', needle: 'doctype', left: 'inside' },
  'html-form': { html: '<form action="https://x.test/">inside</form>', needle: 'form' },
  'html-h1-h6': { html: '<h1>inside</h1>', needle: 'h1', left: 'inside' },
  'html-height': { html: '<table><tr><td height="77">inside</td></tr></table>', needle: 'td[height]', left: 'inside' },
  'html-hidden': on('p', 'hidden="hidden"'),
  'html-hr': { html: '<p>a</p><hr><p>b</p>', needle: 'hr' },
  'html-image-maps': {
    html:
      '<img src="https://x.test/a.png" usemap="#m"><map name="m">' +
      '<area href="https://x.test/" coords="0,0,9,9"></map>',
    needle: 'img[usemap]',
  },
  'html-img': picture('png'),
  'html-input-checkbox': field('checkbox'),
  'html-input-hidden': field('hidden'),
  'html-input-radio': field('radio'),
  'html-input-reset': field('reset'),
  'html-input-submit': field('submit'),
  'html-input-text': field('text'),
  'html-lang': on('p', 'lang="fr"'),
  'html-link': {
    html: '<head><link rel="stylesheet" href="https://x.test/a.css"></head><body>inside</body>',
    needle: 'link',
    left: 'inside',
  },
  'html-lists': { html: '<ul><li>inside</li></ul>', needle: 'ul', left: 'inside' },
  'html-loading-attribute': { html: '<img src="https://x.test/a.png" loading="lazy">', needle: 'img[loading]' },
  'html-mailto-links': {
    html: '<a href="mailto:a@x.test">inside</a>',
    needle: 'a[href=mailto:a@x.test]',
    left: 'inside',
  },
  'html-marquee': wrap('marquee'),
  'html-meta-color-scheme': {
    html: '<head><meta name="color-scheme" content="light dark"></head><body>inside</body>',
    needle: 'meta[name=color-scheme]',
    left: 'inside',
  },
  'html-meter': { html: '<meter value=".5">inside</meter>', needle: 'meter', left: 'inside' },
  'html-object': {
    html: '<object type="image/png" data="https://x.test/a.png"><i>inside</i></object>',
    needle: 'object',
  },
  'html-p': wrap('p'),
  'html-picture': {
    html: '<picture><source srcset="https://x.test/b.png"><img src="https://x.test/a.png"></picture>',
    needle: 'picture',
  },
  'html-popover': on('p', 'popover="auto"'),
  'html-pre': wrap('pre'),
  'html-progress': { html: '<progress value=".5">inside</progress>', needle: 'progress', left: 'inside' },
  'html-required': { html: '<textarea required>inside</textarea>', needle: 'textarea[required]' },
  'html-role': on('p', 'role="note"'),
  'html-rp': { html: '<ruby>a<rp>inside</rp></ruby>', needle: 'rp', left: 'inside' },
  'html-rt': { html: '<ruby>a<rt>inside</rt></ruby>', needle: 'rt', left: 'inside' },
  'html-ruby': { html: '<ruby>inside</ruby>', needle: 'ruby', left: 'inside' },
  'html-select': { html: '<select><option>inside</option></select>', needle: 'select' },
  'html-semantics': { html: '<section>inside</section><article>a</article>', needle: 'section', left: 'inside' },
  'html-small': wrap('small'),
  'html-span': wrap('span'),
  'html-srcset': { html: '<img src="https://x.test/a.png" srcset="https://x.test/b.png 2x">', needle: 'img[srcset]' },
  'html-strike': wrap('strike'),
  'html-strong': wrap('strong'),
  'html-style': {
    html: '<head><style>p{vertical-align:7px}</style></head><body><p>inside</p></body>',
    needle: 'style:vertical-align',
    left: 'inside',
  },
  'html-svg': { html: '<svg width="9" height="9"><circle r="4"/></svg>', needle: 'svg' },
  'html-table': { html: '<table><tr><td>inside</td></tr></table>', needle: 'table', left: 'inside' },
  'html-target': {
    html: '<a href="https://x.test/" target="probe">inside</a>',
    needle: 'a[target=probe]',
    left: 'inside',
  },
  'html-textarea': { html: '<textarea>inside</textarea>', needle: 'textarea' },
  'html-valign': { html: '<table><tr><td valign="top">inside</td></tr></table>', needle: 'td[valign]', left: 'inside' },
  'html-video': { html: '<video src="https://x.test/a.mp4" controls><i>inside</i></video>', needle: 'video' },
  'html-wbr': { html: '<p>in<wbr>side</p>', needle: 'wbr', left: 'inside' },
  'html-width': { html: '<table><tr><td width="77">inside</td></tr></table>', needle: 'td[width]', left: 'inside' },

  'image-avif': picture('avif'),
  'image-base64': {
    html: '<img src="data:image/png;base64,iVBORw0KGgo=" alt="x">',
    needle: 'img[src=data:image/png;base64,iVBORw0KGgo=]',
  },
  'image-bmp': picture('bmp'),
  'image-gif': picture('gif'),
  'image-hdr': picture('hdr'),
  'image-heif': picture('heic'),
  'image-ico': picture('ico'),
  'image-jpg': picture('jpg'),
  'image-mp4': picture('mp4'),
  'image-png': picture('png'),
  'image-svg': picture('svg'),
  'image-tiff': picture('tiff'),
  'image-webp': picture('webp'),
};
