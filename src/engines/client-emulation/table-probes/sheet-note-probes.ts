// What the notes of selectors, at-rules, elements and images mean, as literal messages written from the notes' words.

import { css, html, inline, type NoteExpectation, type ProbeCase } from './probe-case.ts';

const goes = (...cases: ProbeCase[]) => cases;
const rule = (selector: string) => css(`${selector}{vertical-align:7px}`, `${selector}{vertical-align:7px}`);
const media = (query: string) => css(`@media ${query}{p{vertical-align:7px}}`, `@media ${query}{`);
const gif = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
const png = 'data:image/png;base64,iVBORw0KGgo=';
const image = (url: string, needle = `img[src=${url}]`) => html(`<img src="${url}">`, needle);
const semantic = (went: string[], stayed: string[]): NoteExpectation => ({
  goes: went.map((name) => html(`<${name}>x</${name}>`, name)),
  stays: stayed.map((name) => html(`<${name}>x</${name}>`, name)),
});
const field = (type: string): NoteExpectation => ({
  becomes: [{ html: `<input type="${type}">`, needle: `input[type=${type}]`, after: `noinput[type=${type}]` }],
});
const renames = (from: string, to = `no${from}`): NoteExpectation => ({
  becomes: [{ html: `<${from}>inside</${from}>`, needle: from, after: to }],
});
const wholly = (name: string): NoteExpectation => ({
  goes: goes(html(`<${name}><i>inside</i></${name}>`, name), html(`<${name}><i>inside</i></${name}>`, 'text:inside')),
});
const kept = (text: string, needle: string): NoteExpectation => ({ stays: goes(html(text, needle)) });

/** Probes by feature and note number. */
export const sheetNoteProbes: Record<string, NoteExpectation> = {
  'css-at-font-face#1': { goes: goes(css('@font-face{font-family:P;src:url(a)}', '@font-face')) },
  'css-at-font-face#4': {
    goes: goes(css('@font-face{font-family:P;src:url("a")}', '@font-face')),
    stays: goes(css('@font-face{font-family:P;src:local("Arial")}', '@font-face')),
  },
  'css-at-media#1': {
    goes: goes(css('@media screen{@media (min-width:7px){p{vertical-align:7px}}}', '(min-width:7px)')),
    stays: goes(media('(min-width:7px)')),
  },
  'css-at-media#2': {
    goes: goes(media('print'), media('(orientation:landscape)'), media('screen and (hover:hover)')),
    stays: goes(media('screen and (min-width:7px)'), media('(max-height:7px)')),
  },
  'css-at-media#7': { goes: goes(media('(max-height:7px)')), stays: goes(media('(max-width:7px)')) },
  'css-at-media#8': { goes: goes(media('(orientation:landscape)')), stays: goes(media('(max-width:7px)')) },
  'css-at-media#10': {
    goes: goes(css('@media screen{@media (min-width:7px){p{vertical-align:7px}}}', '(min-width:7px)')),
    stays: goes(media('(min-width:7px)')),
  },
  'css-at-media-orientation#2': {
    goes: goes(media('(orientation:portrait)')),
    stays: goes(media('(orientation:landscape)')),
  },
  'css-at-media-prefers-reduced-motion#2': {
    goes: goes(
      html(
        '<picture><source media="(prefers-reduced-motion:reduce)" srcset="https://x.test/b.png">' +
          '<img src="https://x.test/a.png"></picture>',
        'source',
      ),
    ),
    stays: goes(media('(prefers-reduced-motion:reduce)')),
  },
  'css-comments#3': {
    goes: goes({ ...inline('vertical-align:7px;/* why */color:red'), needle: 'inline:vertical-align:7px' }),
    stays: goes(css('p{vertical-align:7px;/* why */}', 'vertical-align:7px')),
  },
  'css-comments#6': {
    goes: goes(css('p{vertical-align:7px/* why */}', 'vertical-align:7px'), {
      ...inline('vertical-align:7px;/* why */color:red'),
      needle: 'inline:vertical-align:7px',
    }),
    stays: goes(css('p{vertical-align:7px}', 'vertical-align:7px')),
  },
  'css-nesting#1': {
    goes: goes(css('p{color:red;b{vertical-align:7px}}', 'vertical-align:7px')),
    stays: goes(css('p{color:red;& b{vertical-align:7px}}', 'vertical-align:7px')),
  },
  'css-nesting#3': {
    goes: goes(css('p{color:red;& b{vertical-align:7px}}', '& b')),
    stays: goes(css('p{color:red;& b{vertical-align:7px}}', 'p{color:red;vertical-align:7px}')),
  },
  'css-nesting#5': {
    goes: goes(
      css('p{color:red;@media screen{vertical-align:7px}}', '@media'),
      css('p{& & &{vertical-align:7px}}', 'vertical-align:7px'),
    ),
    stays: goes(css('p{color:red;& b{vertical-align:7px}}', 'vertical-align:7px')),
  },
  'css-selector-adjacent-sibling#2': { goes: goes(rule('p+.one')), stays: goes(rule('.one+.two')) },
  'css-selector-attribute#1': { goes: goes(rule('.one[lang]')), stays: goes(rule('[lang]'), rule('td[lang]')) },
  'css-selector-attribute#2': {
    goes: goes(rule('p[lang^="e"]'), rule('p[lang*="e"]')),
    stays: goes(rule('p[lang]'), rule('p[lang="en"]'), rule('p[lang|="en"]')),
  },
  'css-selector-attribute#3': { goes: goes(rule('p[class="one"]')), stays: goes(rule('p[lang="en"]')) },
  'css-selector-attribute#4': { goes: goes(rule('p[lang]'), rule('p[lang^="e"]')), stays: goes(rule('p[lang="en"]')) },
  'css-selector-attribute#5': {
    goes: goes(rule('p[lang]'), rule('p[lang~="en"]'), rule('p[class="one"]'), rule('p[class]')),
    stays: goes(rule('p[class~="one"]')),
  },
  'css-selector-chaining#3': {
    goes: goes(rule('.one.two')),
    stays: goes(css('.one.two{vertical-align:7px}', '.one{vertical-align:7px}')),
  },
  'css-selector-chaining#5': { goes: goes(rule('p.one.two')), stays: goes(rule('.one.two'), rule('.one#two')) },
  'css-selector-descendant#3': { goes: goes(rule('p .one')), stays: goes(rule('.one .two')) },
  'css-selector-grouping#3': { goes: goes(rule('p,.one')), stays: goes(rule('.one,.two')) },

  'html-acronym#1': {
    goes: goes(html('<acronym title="t">x</acronym>', 'acronym[title]')),
    stays: goes(html('<acronym title="t">x</acronym>', 'acronym')),
  },
  'html-align#1': {
    goes: goes(html('<img align="left">', 'img[align]')),
    stays: goes(html('<p align="left">x</p>', 'p[align]'), html('<img align="middle">', 'img[align]')),
  },
  'html-align#2': {
    goes: goes(html('<img align="middle">', 'img[align]')),
    stays: goes(html('<p align="left">x</p>', 'p[align]')),
  },
  'html-align#3': {
    goes: goes(html('<table align="left"><tr><td>x</table>', 'table[align]')),
    stays: goes(html('<table align="center"><tr><td>x</table>', 'table[align]')),
  },
  'html-audio#2': {
    goes: goes(html('<audio src="a.mp3"></audio>', 'audio[src]')),
    stays: goes(html('<audio src="a.mp3"></audio>', 'audio[proton-src]')),
  },
  'html-audio#3': kept('<audio src="a.mp3"></audio>', 'audio[src]'),
  'html-audio#4': kept('<audio src="a.mp3"></audio>', 'audio[src]'),
  'html-audio#5': wholly('audio'),
  'html-audio#6': {
    goes: goes(html('<audio src="a.mp3"></audio>', 'audio[src]')),
    stays: goes(html('<audio src="a.mp3"></audio>', 'audio[data-src]')),
  },
  'html-background#2': {
    goes: goes(html('<table><tr><td background="a.png">x</table>', 'td[background]')),
    stays: goes(html('<body background="a.png">x', 'body[background]')),
  },
  'html-base#1': {
    goes: goes(html('<base href="https://x.test/"><a href="page">x</a>', 'base')),
    stays: goes(html('<base href="https://x.test/"><a href="page">x</a>', 'a[href=https://x.test/page]')),
  },
  'html-body#1': {
    goes: goes(html('<body bgcolor="#010203">x', 'body[bgcolor]')),
    stays: goes(html('<body bgcolor="#010203">x', 'inline:background-color:#010203')),
  },
  'html-dfn#1': {
    goes: goes(html('<dfn title="t">x</dfn>', 'dfn[title]')),
    stays: goes(html('<dfn title="t">x</dfn>', 'dfn')),
  },
  'html-dir#2': {
    goes: goes(
      html('<table dir="rtl"><tr><td dir="rtl">x</table>', 'table[dir]'),
      html('<table><tr><td dir="rtl">x</table>', 'td[dir]'),
    ),
    stays: goes(html('<p dir="rtl">x</p>', 'p[dir]')),
  },
  'html-form#4': renames('form'),
  'html-form#5': wholly('form'),
  'html-form#6': kept('<form><b>x</b></form>', 'form'),
  'html-hidden#1': {
    goes: goes(html('<p hidden>x</p>', 'p[hidden]')),
    stays: goes(html('<p hidden="hidden">x</p>', 'p[hidden]')),
  },
  'html-input-checkbox#1': field('checkbox'),
  'html-input-hidden#1': field('hidden'),
  'html-input-radio#1': field('radio'),
  'html-input-reset#2': field('reset'),
  'html-input-submit#2': field('submit'),
  'html-input-text#4': field('text'),
  'html-lang#1': {
    goes: goes(html('<table><tr><td lang="fr">x</table>', 'td[lang]')),
    stays: goes(html('<p lang="fr">x</p>', 'p[lang]')),
  },
  'html-lists#1': {
    goes: goes(html('<ol reversed><li>x</ol>', 'ol[reversed]')),
    stays: goes(html('<ol reversed><li>x</ol>', 'ol')),
  },
  'html-mailto-links#1': {
    goes: goes(
      html(
        '<a href="mailto:a@x.test?cc=b@x.test&amp;subject=s">x</a>',
        'a[href=mailto:a@x.test?cc=b@x.test&subject=s]',
      ),
    ),
    stays: goes(html('<a href="mailto:a@x.test?cc=b@x.test&amp;subject=s">x</a>', 'a[href=mailto:a@x.test?subject=s]')),
  },
  'html-mailto-links#3': {
    goes: goes(html('<a href="mailto:a@x.test?bcc=b@x.test">x</a>', 'a[href=mailto:a@x.test?bcc=b@x.test]')),
    stays: goes(html('<a href="mailto:a@x.test?cc=b@x.test">x</a>', 'a[href=mailto:a@x.test?cc=b@x.test]')),
  },
  'html-marquee#2': {
    goes: goes(html('<marquee behavior="slide">x</marquee>', 'marquee[behavior]')),
    stays: goes(html('<marquee direction="up">x</marquee>', 'marquee[direction]')),
  },
  'html-marquee#3': {
    goes: goes(
      html('<marquee behavior="slide">x</marquee>', 'marquee[behavior]'),
      html('<marquee direction="up">x</marquee>', 'marquee[direction]'),
    ),
    stays: goes(html('<marquee>x</marquee>', 'marquee')),
  },
  'html-object#1': {
    goes: goes(html('<object data="https://x.test/a.mp4">x</object>', 'object')),
    stays: goes(html('<object data="https://x.test/a.png">x</object>', 'object')),
  },
  'html-object#2': {
    goes: goes(html('<object type="application/pdf" data="https://x.test/a">x</object>', 'object')),
    stays: goes(html('<object data="https://x.test/a.png">x</object>', 'object')),
  },
  'html-object#3': renames('object'),
  'html-object#4': wholly('object'),
  'html-role#2': {
    goes: goes(html('<p role="note">x</p>', 'p[role]')),
    stays: goes(html('<table role="none"><tr><td>x</table>', 'table[role]')),
  },
  'html-select#2': renames('select'),
  'html-semantics#1': semantic(['article', 'header', 'mark'], ['time']),
  'html-semantics#2': semantic(['details', 'main', 'nav'], ['article', 'section', 'time']),
  'html-semantics#3': semantic(['article'], ['section']),
  'html-semantics#5': semantic(['article', 'section', 'nav'], ['footer', 'time']),
  'html-style#1': {
    goes: goes(html('<body>x<style>p{vertical-align:7px}</style>y', 'style:vertical-align:7px')),
    stays: goes(css('p{vertical-align:7px}', 'vertical-align:7px')),
  },
  'html-style#4': {
    goes: goes(html('<body><p>x</p><style>p{vertical-align:7px}</style></body>', 'style:vertical-align:7px')),
    stays: goes(html('<body><style>p{vertical-align:7px}</style><p>x</p></body>', 'style:vertical-align:7px')),
  },
  'html-style#5': {
    goes: goes(css('/* why */ p{vertical-align:7px} b{vertical-align:8px}', 'vertical-align:7px')),
    stays: goes(css('/* why */ p{vertical-align:7px} b{vertical-align:8px}', 'vertical-align:8px')),
  },
  'html-target#1': {
    goes: goes(html('<a href="https://x.test/" target="probe">x</a>', 'a[target=probe]')),
    stays: goes(html('<a href="https://x.test/">x</a>', 'a[target=_blank]')),
  },
  'html-textarea#4': renames('textarea'),
  'html-video#1': kept('<video src="a.mp4"></video>', 'video[src]'),
  'html-video#7': kept('<video src="a.mp4" poster="p.png"></video>', 'video[poster]'),
  'html-video#8': kept('<video src="a.mp4"></video>', 'video[src]'),
  'html-video#9': wholly('video'),
  'html-video#10': {
    goes: goes(html('<video src="a.mp4"></video>', 'video[src]')),
    stays: goes(html('<video src="a.mp4"></video>', 'video[data-src]')),
  },

  'image-base64#1': { goes: goes(image(gif)), stays: goes(image(png)) },
  'image-base64#2': { goes: goes(image(png)), stays: goes(image(png, 'img[nosrc]')) },
  'image-base64#3': { goes: goes(image(gif)), stays: goes(image(png)) },
};
