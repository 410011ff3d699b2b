import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fixAccessibility } from '../index.ts';
import { guessLanguage } from './guess-language.ts';
import { wordsOf } from './guess-alt.ts';

const head = '<!doctype html><html lang="en" dir="ltr"><title>Winter sale</title><body><div lang="en" dir="ltr">';
/** What becomes of the inside of a message that is right otherwise. */
const fixed = (inside: string) => fixAccessibility(head + inside).html.slice(head.length);

const REPAIRS: [what: string, before: string, after: string][] = [
  ['a layout table', '<table width=9><tr><td>x</table>', '<table role="presentation" width=9><tr><td>x</table>'],
  [
    'a table that only Word sees',
    '<!--[if mso]><table width="600"><tr><td><![endif]-->x',
    '<!--[if mso]><table role="presentation" width="600"><tr><td><![endif]-->x',
  ],
  [
    'the mark-up of data in a layout table',
    '<table role="none" summary="x"><tr><td scope=row>y</table>',
    '<table role="none"><tr><td>y</table>',
  ],
  [
    'header cells',
    '<table><tr><th>Day<th>Hour</tr><tr><th>Mon<td>8</table>',
    '<table><tr><th scope="col">Day<th scope="col">Hour</tr><tr><th scope="row">Mon<td>8</table>',
  ],
  ['a tracking pixel', '<img src="t.gif" width="1" height="1">', '<img alt="" src="t.gif" width="1" height="1">'],
  [
    'an image whose file has a name',
    '<img src="a/winter-coat_2@2x.jpg"/>',
    '<img alt="Winter coat" src="a/winter-coat_2@2x.jpg"/>',
  ],
  ['an image that nothing tells of', '<img src="IMG_1234.jpg">', '<img alt="" src="IMG_1234.jpg">'],
  ['a placeholder', '<img alt="image" src="a/red-shoes.png">', '<img alt="Red shoes" src="a/red-shoes.png">'],
  [
    'an icon that links to a known site',
    '<a href="https://www.facebook.com/x"><img src="1.png"></a>',
    '<a href="https://www.facebook.com/x"><img alt="Facebook" src="1.png"></a>',
  ],
  [
    'an image beside the text of its link',
    '<a href="/a"><img src="cat.png"> Shop</a>',
    '<a href="/a"><img alt="" src="cat.png"> Shop</a>',
  ],
  ['a redundant title', '<a href="/a" title="Shop">Shop</a>', '<a href="/a">Shop</a>'],
  ['an order of focus', '<a href="/a" tabindex="3">Shop</a>', '<a href="/a">Shop</a>'],
  ['an empty heading', '<h1>A</h1><h2></h2>', '<h1>A</h1><h2 aria-hidden="true"></h2>'],
  [
    'a link text that says nothing',
    '<div><h1>Winter sale</h1><a href="/a">Read more</a></div>',
    '<div><h1>Winter sale</h1><a aria-label="Read more: Winter sale" href="/a">Read more</a></div>',
  ],
];

describe('fixAccessibility', () => {
  for (const [what, before, after] of REPAIRS) it(`repairs ${what}`, () => assert.equal(fixed(before), after));

  it('says language and direction on html and on what webmail keeps', () => {
    assert.equal(
      fixAccessibility('<html><title>T</title><body><div>Text</div></body></html>', { language: 'de' }).html,
      '<html lang="de" dir="ltr"><title>T</title><body><div lang="de" dir="ltr">Text</div></body></html>',
    );
  });
  it('gives a document without an html tag one, after the doctype', () => {
    assert.match(
      fixAccessibility('<!doctype html>\n<title>Hello</title><p>x</p>').html,
      /^<!doctype html>\n<html lang="en" dir="ltr"><title>Hello<\/title><p lang="en" dir="ltr">/,
    );
  });
  it('does not turn a message around that runs from right to left', () => {
    const { html, left } = fixAccessibility(
      '<html lang="ar"><title>T</title><body><div lang="ar">مرحبا بكم في متجرنا</div></body></html>',
    );
    assert.ok(!html.includes(' dir='));
    assert.deepEqual(
      left.map(({ rule }) => rule),
      ['html-has-dir', 'wrapper-dir'],
    );
  });
  it('puts the subject into the title, behind the character set', () => {
    const { html } = fixAccessibility(
      '<html lang="en" dir="ltr"><head>\n  <meta charset="utf-8">\n</head><body><p lang="en" dir="ltr">x',
      { subject: 'Tea & <cake>' },
    );
    assert.ok(html.includes('<meta charset="utf-8">\n<title>Tea &amp; &lt;cake></title>'), html);
  });
  it('makes a title of the largest heading that is a whole one', () => {
    const heading = (size: number, text: string) =>
      `<div style="font-size:${size}px">${text}</div><p>Some more text that follows the heading.</p>`;
    const { changes } = fixAccessibility(
      '<html lang="en" dir="ltr"><body><div lang="en" dir="ltr">' +
        `${heading(40, '&amp; welcome!')}${heading(30, 'Thank you')}`,
    );
    assert.equal(changes.find(({ rule }) => rule === 'document-title')?.after, '<title>Thank you</title>');
  });
  it('lets readers zoom, and keeps the rest of the viewport', () => {
    const { html } = fixAccessibility(
      '<meta name="viewport" content="width=device-width, initial-scale=1, maximum-scale=1, user-scalable=no">',
    );
    assert.ok(html.includes('content="width=device-width, initial-scale=1"'), html);
  });
  it('leaves alone what a style sheet selects by, and says so', () => {
    const { html, left } = fixAccessibility(
      `<style>table[role]{border:9px solid}</style>${head}<table><tr><td>x</table>`,
    );
    assert.ok(!html.includes('role="presentation"'));
    assert.match(left.find(({ rule }) => rule === 'layout-table-role')?.reason ?? '', /selects by \[role\]/);
  });
  it('marks guesses for a person to check, and nothing else', () => {
    const { changes } = fixAccessibility(
      `${head}<table><tr><td><img src="a/red-shoes.png"><img src="p.gif" width=1 height=1></table>`,
    );
    assert.deepEqual(
      changes.map(({ rule, check }) => [rule, check]),
      [
        ['layout-table-role', false],
        ['image-alt', true],
        ['image-alt', false],
      ],
    );
    assert.deepEqual(
      [changes[1]?.before, changes[1]?.after],
      ['<img src="a/red-shoes.png">', '<img alt="Red shoes" src="a/red-shoes.png">'],
    );
  });
  it('keeps every other byte, line ends and oddities too', () => {
    const odd =
      `${head}<P  CLASS=a\r\n title='"'>&nbsp;{{merge <tag>}}<b><i>mis</b>nested</i>` +
      '\r<TABLE  Width=1><tr><td>x</table>';
    assert.equal(fixAccessibility(odd).html, odd.replace('<TABLE ', '<TABLE role="presentation" '));
  });
  it('changes nothing in what it has repaired, and counts the difference', () => {
    const once = fixAccessibility(
      '<body><table><tr><td><a href="https://x.test/shop"><img src="1.png"></a></td></tr></table>',
      { subject: 'Sale' },
    );
    const twice = fixAccessibility(once.html, { subject: 'Sale' });
    assert.deepEqual([twice.html, twice.changes, twice.diff], [once.html, [], '']);
    assert.ok(once.before.fixable > 0);
    assert.deepEqual([once.after.fixable, twice.before], [0, once.after]);
  });
});

/** Applies a unified diff, strictly. */
function patched(text: string, diff: string): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const out: string[] = [];
  let at = 0;
  const body = diff.split('\n').slice(2, -1);
  body.forEach((line, index) => {
    const hunk = /^@@ -(\d+),\d+ \+(\d+),\d+ @@$/.exec(line);
    if (hunk) {
      out.push(...lines.slice(at, Number(hunk[1]) - 1));
      at = Number(hunk[1]) - 1;
      assert.equal(out.length, Number(hunk[2]) - 1);
      return;
    }
    if (line.startsWith('\\')) return;
    const ending = body[index + 1]?.startsWith('\\') ? '' : '\n';
    if (line[0] !== '+') assert.equal(lines[at++], line.slice(1) + ending);
    if (line[0] !== '-') out.push(line.slice(1) + ending);
  });
  return [...out, ...lines.slice(at)].join('');
}

describe('the diff', () => {
  const filler = Array.from({ length: 20 }, (_, n) => `<p>Line ${n}</p>`).join('\n');
  for (const [what, html] of [
    ['far apart', `<table>\n${filler}\n</table>\n<table><tr><td>x\n</table>\n${filler}\n<img src="a.png">\n`],
    ['without a line end', '<img src="a.png">'],
    ['with CRLF', `<html>\r\n<body>\r\n<table><tr><td>x</table>\r\n${filler}`],
    ['that adds a line', '<html>\n<head>\n<meta charset="utf-8">\n</head>\n<body>x</body></html>\n'],
  ] as const) {
    it(`turns the message into the repaired one: ${what}`, () => {
      const { html: after, diff } = fixAccessibility(html, { subject: 'Sale' });
      assert.notEqual(after, html);
      assert.equal(patched(html, diff), after);
    });
  }
  it('shows an added line as added only', () => {
    const { diff } = fixAccessibility(
      '<html lang="en" dir="ltr">\n<head>\n<meta charset="utf-8">\n<meta name="x">\n</head>',
      { subject: 'Sale' },
    );
    assert.deepEqual(
      diff.split('\n').filter((line) => /^[-+][^-+]/.test(line)),
      ['+<title>Sale</title>'],
    );
  });
});

describe('guessLanguage', () => {
  for (const [language, text] of [
    ['en', 'Thank you for your order. We will let you know when it is on the way to you.'],
    ['de', 'Vielen Dank für Ihre Bestellung. Wir melden uns, sobald sie auf dem Weg zu Ihnen ist.'],
    ['fr', 'Merci pour votre commande. Nous vous informerons dès que le colis est en route pour vous.'],
    ['es', 'Gracias por su pedido. Le avisaremos en cuanto el paquete esté en camino con los productos de la tienda.'],
    ['ja', 'ご注文ありがとうございます。商品は明日発送いたします。'],
    ['zh', '感谢您的订购，我们会尽快为您发货'],
    ['ko', '주문해 주셔서 감사합니다'],
    ['ru', 'Спасибо за ваш заказ, мы скоро его отправим, это был быстрый выбор'],
    ['uk', 'Дякуємо за ваше замовлення, ми її відправимо'],
    ['he', 'תודה על ההזמנה שלך'],
    ['ar', 'شكرا لك على طلبك'],
  ] as const)
    it(`tells ${language}`, () => assert.equal(guessLanguage(text), language));
  it('does not guess from a few words', () => assert.equal(guessLanguage('Lorem ipsum dolor sit amet'), undefined));
});

describe('wordsOf', () => {
  for (const [stem, words] of [
    ['winter-sale_2@2x', 'Winter sale'],
    ['redShoes', 'Red shoes'],
    ['img_0042', undefined],
    ['d41d8cd98f00b204', undefined],
    ['600x300', undefined],
    ['hero-banner', undefined],
    ['ico_gift', 'Gift'],
    ['RiSABbLdTIKLLeKSoLaI_coat', 'Coat'],
    ['ourWinterSaleCoats', 'Our winter sale coats'],
  ] as const) {
    it(`makes ${words ?? 'nothing'} of ${stem}`, () => assert.equal(wordsOf(stem), words));
  }
});
