import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stripHtml, stripText } from './index.ts';

describe('the text of a reply', () => {
  for (const [what, given, text, signature] of [
    [
      'marked lines after words',
      'Yes.\n\nOn 1 May 2026 at 10:00, Ann <a@b.example> wrote:\n> Is it?\n> Really?',
      'Yes.',
      '',
    ],
    ['words over several lines', 'Yes.\n\nOn Fri, 1 May 2026, Ann\n<a@b.example>\nwrote:\n\n> Is it?', 'Yes.', ''],
    ['words without marks', 'Ja.\n\nAm 01.05.2026 um 10:00 schrieb Ann:\n\nIst es so?', 'Ja.', ''],
    ['a border', 'Yes.\n\n-----Original Message-----\nFrom: Ann\n\nIs it?', 'Yes.', ''],
    [
      'a header',
      'Yes.\n\n________________________________\nFrom: Ann <a@b.example>\nSent: Friday\nTo: Bob\nSubject: It\n\nIs it?',
      'Yes.',
      '',
    ],
    ['a French header', 'Oui.\n\nDe : Ann\nEnvoyé : vendredi\nÀ : Bob\n\nEst-ce vrai ?', 'Oui.', ''],
    ['words before the reply', 'On 1 May 2026, Ann wrote:\n> Is it?\n> Really?\n\nYes.', 'Yes.', ''],
    ['a signature', 'Yes.\n\n-- \nBob\nShop', 'Yes.', '-- \nBob\nShop'],
    ['words that end', 'It is so.\n\nThanks,\nBob', 'It is so.', 'Thanks,\nBob'],
    ['a phone', 'Yes.\n\nSent from my iPhone', 'Yes.', 'Sent from my iPhone'],
    ['nothing', 'I wrote: a letter, on 1 May.\n\n> one mark', 'I wrote: a letter, on 1 May.\n\n> one mark', ''],
    [
      'answers in between',
      'On 1 May 2026, Ann wrote:\n> One?\nYes.\n> Two?\nNo.',
      'On 1 May 2026, Ann wrote:\n> One?\nYes.\n> Two?\nNo.',
      '',
    ],
    [
      'what is forwarded',
      '---------- Forwarded message ----------\nFrom: Ann\n\nText',
      '---------- Forwarded message ----------\nFrom: Ann\n\nText',
      '',
    ],
    ['an address without a verb', 'Да.\n\nпт, 1 мая 2026 г. в 10:00, Ann <a@b.example>:\n\nТак?', 'Да.', ''],
    [
      'words in the middle',
      'Ja.\n\nAnn <a@b.example> schrieb am Fr., 1.\nMai 2026 um 10:00 Uhr:\n\n> So?\n',
      'Ja.',
      '',
    ],
    ['words that share a line', 'Yes. On Fri, 1 May 2026 at 10:00, Ann wrote:\n> Is it?', 'Yes.', ''],
    ['a Russian header', 'Да.\n\nОт: Ann\nОтправлено: пятница\nКому: Bob\n\nТак?', 'Да.', ''],
    ['no list', 'It needs\n\n- a\n- b\n- c', 'It needs\n\n- a\n- b\n- c', ''],
    [
      'no sentence about somebody',
      'As Ann wrote in 2026, it is so:\n\nwrite to a@b.example.',
      'As Ann wrote in 2026, it is so:\n\nwrite to a@b.example.',
      '',
    ],
    ['quotations alone', '> One\n> Two\n> Three', '> One\n> Two\n> Three', ''],
  ] as const)
    it(`is told from ${what}`, () => assert.deepEqual(stripText(given), { text, signature }));

  it('is found in a bounded time in what is hostile', () => {
    const long = 'On a, '.repeat(50_000);
    for (const given of [
      long,
      `${long}wrote`,
      '> '.repeat(150_000),
      '>\n'.repeat(100_000),
      'On 1, x\n'.repeat(40_000),
      'From: a\nTo: b\n\n'.repeat(20_000),
      `1.1.2026 ${'a @ '.repeat(75_000)}`,
      `Thu, 26 Jun 2014 14:00:51 ${'a '.repeat(100_000)}`,
      '-'.repeat(300_000),
      'a@b.example wrote '.repeat(16_000),
      'Ann <a@b.example wrote, \n'.repeat(12_000),
      '2026 10:00 <\n'.repeat(25_000),
      `${'a '.repeat(150)}On Mon, 1 wrote\n`.repeat(800),
      'sent from my '.repeat(23_000),
    ])
      assert.ok(stripText(given).text.length <= 200_000);
  });
});

describe('the HTML of a reply', () => {
  for (const [what, given, left] of [
    [
      'Gmail',
      '<div>Yes.</div><div class="gmail_quote"><div>On 1 May 2026, Ann wrote:</div><blockquote>Is it?</blockquote></div>',
      '<div>Yes.</div>',
    ],
    [
      'a blockquote and its words',
      '<p>Yes.</p><p>On 1 May 2026, Ann wrote:</p><blockquote><p>Is it?</p></blockquote>',
      '<p>Yes.</p><p></p>',
    ],
    [
      'Outlook',
      '<div><p>Yes.</p><div style="border:none;border-top:solid #B5C4DF 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p>From: Ann</p></div><p>Is it?</p></div>',
      '<div><p>Yes.</p></div>',
    ],
    [
      'Outlook on the web',
      '<div>Yes.</div><hr><div id="divRplyFwdMsg">From: Ann</div><div>Is it?</div>',
      '<div>Yes.</div><hr>',
    ],
    ['nothing', '<p>Yes &amp; <b class=x>no</b></p>', '<p>Yes &amp; <b class=x>no</b></p>'],
    ['quotations alone', '<blockquote>Is it?</blockquote>', '<blockquote>Is it?</blockquote>'],
  ] as const)
    it(`is told from ${what}`, () => assert.equal(stripHtml(given), left));

  it('is left as it is where it is deeper or longer than any reply', () => {
    for (const given of ['<div>'.repeat(10_000), `<p>${'<b>'.repeat(300_000)}`, 'a'.repeat(1_000_001)])
      assert.equal(stripHtml(given), given);
    const wide = '<div class="gmail_quote">x</div>'.repeat(5000);
    assert.equal(stripHtml(`<p>Yes</p>${wide}`).startsWith('<p>Yes</p>'), true);
  });
});
