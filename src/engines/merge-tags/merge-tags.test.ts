// One table of merge tags, syntax by syntax, across every engine that meets them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findAssets, isRelativeAddress } from '../html/index.ts';
import { checkHygiene } from '../hygiene/index.ts';
import { hasMergeTag as imageHasMergeTag } from '../images/index.ts';
import { isFollowable, judgeLink } from '../links/index.ts';
import { fillMergeTags, fillRecipientVariables } from '../mail-template/index.ts';
import { scoreSpam } from '../spam-rules/index.ts';
import { readMail as readForAccessibility } from '../accessibility/read-mail.ts';
import { EMAIL_RULES } from '../accessibility/email-rules/index.ts';
import { beginsWithMergeTag, findHalfTags, findMergeTags, hasMergeTag, mergeTagIn } from './index.ts';

/** `filled`: what it becomes with the data below; without it, the tag stays: it asks for more than a value, or for one there is not. */
const TAGS: { tag: string; syntax: string; filled?: string; isMissing?: boolean }[] = [
  { tag: '{{ name }}', syntax: 'Handlebars, Liquid, Jinja', filled: 'Ann' },
  { tag: '{{{name}}}', syntax: 'Handlebars, Liquid, Jinja', filled: 'Ann' },
  { tag: '{{user.first}}', syntax: 'Handlebars, Liquid, Jinja', filled: 'Bea' },
  { tag: '{{ gone | default: "you" }}', syntax: 'Handlebars, Liquid, Jinja', filled: 'you' },
  { tag: '{{ name | upcase }}', syntax: 'Handlebars, Liquid, Jinja' },
  { tag: '{{${name}}}', syntax: 'Braze', filled: 'Ann' },
  { tag: '{{custom_attribute.${name}}}', syntax: 'Braze', filled: 'Ann' },
  { tag: '{{${name} | default: "you"}}', syntax: 'Braze', filled: 'Ann' },
  { tag: '{% if x %}', syntax: 'Liquid, Jinja, Twig' },
  { tag: '*|NAME|*', syntax: 'Mailchimp', filled: 'Ann' },
  { tag: '%%Name%%', syntax: 'Salesforce', filled: 'Ann' },
  { tag: '%% full name %%', syntax: 'Salesforce', filled: 'Ann B' },
  { tag: '%%=v(@name)=%%', syntax: 'Salesforce' },
  { tag: '%%[ set @x = 1 ]%%', syntax: 'Salesforce' },
  { tag: '{!name}', syntax: 'Salesforce', filled: 'Ann' },
  { tag: '<%= name %>', syntax: 'ERB, ASP, Adobe Campaign', filled: 'Ann' },
  { tag: '&lt;%= name %&gt;', syntax: 'ERB, ASP, Adobe Campaign', filled: 'Ann' },
  { tag: '<% if (x) { %>', syntax: 'ERB, ASP, Adobe Campaign' },
  { tag: '${name}', syntax: 'JavaScript, JSP, FreeMarker', filled: 'Ann' },
  { tag: '{$name}', syntax: 'Smarty', filled: 'Ann' },
  { tag: '{$logo}', syntax: 'Smarty', filled: 'https://a.example/l.png' },
  { tag: '#{name}', syntax: 'Ruby, Pug', filled: 'Ann' },
  { tag: '@{/path}', syntax: 'Thymeleaf' },
  { tag: '%recipient%', syntax: 'Mailgun', filled: 'ann@a.example' },
  { tag: '%recipient.city%', syntax: 'Mailgun', filled: 'Köln' },
  { tag: '%recipient.first-name%', syntax: 'Mailgun', filled: 'Ann' },
  { tag: '%recipient.straße.nr%', syntax: 'Mailgun', filled: '7' },
  { tag: '%recipient_email%', syntax: 'Mailgun', filled: 'ann@a.example' },
  { tag: '%unsubscribe_url%', syntax: 'Mailgun', filled: 'https://a.example/u' },
  { tag: '%mailing_list_unsubscribe_url%', syntax: 'Mailgun', filled: 'https://a.example/m' },
  { tag: '%tag_unsubscribe_url%', syntax: 'Mailgun', filled: 'https://a.example/t' },
  { tag: '[[name]]', syntax: 'double brackets', filled: 'Ann' },
  { tag: '[[data:name:"you"]]', syntax: 'double brackets', isMissing: true },
  { tag: '[% name %]', syntax: 'Template Toolkit', filled: 'Ann' },
  { tag: '«First_Name»', syntax: 'Word', filled: 'Ann' },
  { tag: '##NAME##', syntax: 'double hashes', filled: 'Ann' },
  { tag: '~~eloqua..type--emailfield..syntax--Name..encodeFor--url~~', syntax: 'Eloqua' },
  { tag: '{name}', syntax: 'braces', filled: 'Ann' },
  { tag: '%EMAIL%', syntax: 'percent signs', filled: 'ann@a.example' },
  { tag: '[unsubscribe]', syntax: 'brackets' },
  { tag: '[name,fallback=you]', syntax: 'brackets' },
];

const DATA = {
  name: 'Ann',
  'full name': 'Ann B',
  First_Name: 'Ann',
  logo: 'https://a.example/l.png',
  user: { first: 'Bea' },
  email: 'ann@a.example',
  unsubscribe_url: 'https://a.example/u',
  mailing_list_unsubscribe_url: 'https://a.example/m',
  tag_unsubscribe_url: 'https://a.example/t',
  recipient: { city: 'Köln', 'first-name': 'Ann', straße: { nr: 7 } },
};

const NO_TAGS = [
  '50 % off, and 20 % more: 100%',
  '5%% of 10%% is',
  '100%% sure, 100%% safe',
  'He said « bonjour » and «Hallo»',
  'a[0], b[[1]], [1], [sic]',
  'C:\\%TEMP%',
  'x%20name%20y',
  'fish & chips < $5 {or less} #1 ann@a.example ~~',
];

/** As an author writes it between double quotes. */
const inAttribute = (tag: string): string => tag.replaceAll('"', '&quot;');

/** What accessibility's own rule finds wrong. */
function failuresOf(id: string, html: string): unknown[] {
  const rule = EMAIL_RULES.find((one) => one.id === id);
  assert.ok(rule, `accessibility has no rule ${id}`);
  return rule.check(readForAccessibility(html), {}).failures;
}

describe('every engine knows the same merge tags', () => {
  for (const { tag, syntax, filled, isMissing } of TAGS) {
    const bare = tag.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
    it(`the table: ${tag}`, () => {
      assert.deepEqual(
        findMergeTags(`Hi ${tag}, welcome`).map((found) => [found.tag, found.syntax]),
        [[tag, syntax]],
      );
      assert.ok(hasMergeTag(tag) && beginsWithMergeTag(`${bare}/x.png`));
      assert.equal(mergeTagIn(`https://a.example/${encodeURIComponent(bare)}`) !== undefined, true);
    });
    it(`links: ${tag}`, () => {
      for (const url of [bare, `https://a.example/?x=${bare}`]) {
        assert.deepEqual(
          judgeLink({ url })
            .filter(({ severity }) => severity !== 'pass')
            .map(({ rule }) => rule),
          ['merge-tag'],
        );
        assert.equal(isFollowable(url), false);
      }
    });
    it(`images and previews: ${tag}`, () => {
      assert.ok(imageHasMergeTag(bare) && imageHasMergeTag(`https://a.example/${bare}.png`));
      assert.equal(isRelativeAddress(`${bare}/a.png`), false);
      assert.deepEqual(findAssets(`<img src="${inAttribute(tag)}">`, 'https://page.example/'), []);
    });
    it(`hygiene: ${tag}`, () => {
      for (const html of [`<p>Hi ${tag}</p>`, `<p><a href="${inAttribute(tag)}">Read</a></p>`]) {
        const found = checkHygiene({ html }).filter(({ rule }) => rule.startsWith('hygiene/merge-tag'));
        assert.deepEqual(
          found.map(({ rule, severity }) => [rule, severity]),
          [['hygiene/merge-tag', 'error']],
        );
      }
      const unsubscribe = checkHygiene({
        html: '<p>Hi',
        headers: [
          { name: 'List-Unsubscribe', value: `<https://a.example/${encodeURIComponent(bare)}>` },
          { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
        ],
      });
      assert.deepEqual(
        unsubscribe.filter((one) => one.rule === 'hygiene/list-unsubscribe' && one.severity !== 'pass'),
        [],
      );
    });
    it(`accessibility: ${tag}`, () => {
      const html = `<html lang="${inAttribute(tag)}"><title>${tag}</title><img src="a.png" alt="${inAttribute(tag)}">`;
      for (const rule of ['html-lang-valid', 'image-alt-quality', 'document-title'])
        assert.deepEqual(failuresOf(rule, html), [], rule);
    });
    it(`spam rules: ${tag}`, () => {
      const { rules } = scoreSpam({ subject: `Hi ${bare}`, html: '<p>Hello' });
      assert.ok(rules.some(({ rule }) => rule === 'SUBJECT_TEMPLATE'));
    });
    it(`merge data: ${tag}`, async () => {
      const result = await fillMergeTags(`Hi ${tag}.`, { data: DATA, as: 'text' });
      assert.deepEqual(result, { ok: true, text: `Hi ${filled ?? tag}.`, missing: isMissing ? [tag] : [] });
    });
  }
  for (const text of NO_TAGS) {
    it(`and the same that is none: ${text}`, async () => {
      assert.deepEqual(findMergeTags(text), []);
      assert.equal(mergeTagIn(text), undefined);
      assert.deepEqual(await fillMergeTags(text, { data: { of: 1, TEMP: 1, 1: 1 }, as: 'text' }), {
        ok: true,
        text,
        missing: [],
      });
      const { rules } = scoreSpam({ subject: text, html: '<p>Hello' });
      assert.ok(!rules.some(({ rule }) => rule === 'SUBJECT_TEMPLATE'));
    });
  }
});

describe('merge tags', () => {
  it('in a List-Unsubscribe are addresses yet to be', () => {
    for (const value of ['<%unsubscribe_url%>', '<{{url}}>, <mailto:{{id}}@a.example>', '<*|UNSUB|*>']) {
      const found = checkHygiene({
        html: '<p>Hi',
        headers: [
          { name: 'List-Unsubscribe', value },
          { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
        ],
      });
      assert.deepEqual(
        found.filter((one) => one.rule === 'hygiene/list-unsubscribe' && one.severity !== 'pass'),
        [],
        value,
      );
    }
  });
  it('of single brackets are none in a style sheet, and are not filled', async () => {
    const css = 'a[name]{color:red} img[email]{border:0}';
    assert.equal(hasMergeTag(css), true);
    assert.equal(hasMergeTag(css, { isStyle: true }), false);
    const filled = await fillMergeTags(`<style>${css}</style>`, { data: { name: 'x', email: 'x' }, as: 'html' });
    assert.deepEqual(filled, { ok: true, text: `<style>${css}</style>`, missing: [] });
  });
  it('beside braces of a style sheet keep them', async () => {
    const filled = await fillMergeTags('@media x{a{color:{{c}}}}', { data: { c: 'red' }, as: 'html' });
    assert.deepEqual(filled, { ok: true, text: '@media x{a{color:red}}', missing: [] });
  });
  it('are the same to what fills a copy as it is sent', () => {
    for (const { tag, filled } of TAGS.filter((one) => /^%recipient[.%]/.test(one.tag)))
      assert.equal(
        fillRecipientVariables(tag, { address: 'ann@a.example', variables: DATA.recipient, as: 'text' }).text,
        filled,
      );
  });
  it('of which one side is missing are told, whatever stands between', () => {
    const text = '}} {{name}} {{ *|X|* |* {%';
    assert.deepEqual(
      findHalfTags(text, findMergeTags(text)).map(({ what }) => what),
      ['}} without {{', '{{ without }}', '|* without *|', '{% without %}'],
    );
  });
  it('take time by the length of the text, however it is made', async () => {
    const pieces = [
      '%recipient' + '_'.repeat(5_000),
      '%recipient' + '.a'.repeat(5_000),
      '%recipient' + '_a'.repeat(5_000) + '%%',
      ...'{ {{ {{{ {{a {{${ {{a${ {% {%a *| *|a |* %% %%a %%[ % {! <% <%= &lt;% ${ {$ {$a #{ @{ [[ [[a [% [%a'.split(
        ' ',
      ),
      ...'« «a_ &laquo;a_ ## ##a ~~eloqua.. {name %name [name [name,fallback= [name,fallback=a [ _'.split(' '),
      '\n',
      ' ',
      '{{ ',
      '[[ ',
      '%% a',
      '{{a | default',
      '{{a | default: " ',
      ...TAGS.map(({ tag }) => tag),
    ];
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(60_000 / piece.length));
      findHalfTags(text, findMergeTags(text));
      hasMergeTag(text, { isStyle: true });
      mergeTagIn(text);
      const filled = await fillMergeTags(text, { data: {}, as: 'html' });
      assert.ok(filled.ok);
      fillRecipientVariables(text, { address: 'x', variables: {}, as: 'text' });
    }
  });
  it('are counted up to a thousand, in the first million characters', () => {
    assert.equal(findMergeTags('{{a}}'.repeat(5_000)).length, 1_000);
    assert.equal(findMergeTags(' '.repeat(1_000_000) + '{{a}}').length, 0);
  });
});
