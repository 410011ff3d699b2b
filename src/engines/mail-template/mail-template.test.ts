import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import handlebars from 'handlebars';
import { fillRecipientVariables, recipientVariablesIn, renderTemplate } from './index.ts';

const VARIABLES = {
  name: 'Ann & <Bob>',
  empty: '',
  zero: 0,
  yes: true,
  no: false,
  nothing: null,
  user: { first: 'Ann', address: { city: 'Köln' }, 'odd key': 'odd' },
  list: ['a', 'b', 'c'],
  people: [
    { name: 'Ann', tags: ['x', 'y'] },
    { name: 'Bob', tags: [] },
  ],
  prices: { apple: 1, pear: 2 },
  key: 'pear',
  none: [],
};

/** Templates that Handlebars itself renders: the same must come out here. */
const LIKE_HANDLEBARS = [
  'plain',
  '{{name}} {{{name}}} {{&name}}',
  '{{empty}}|{{zero}}|{{yes}}|{{no}}|{{nothing}}|{{gone}}|{{gone.deeper}}',
  '{{user.first}} {{user/address/city}} {{user.[odd key]}} {{this.name}} {{./name}}',
  '{{list}} {{list.[1]}} {{list.length}} {{name.length}}',
  '{{#if name}}y{{else}}n{{/if}}{{#if empty}}y{{else}}n{{/if}}{{#if zero}}y{{else}}n{{/if}}{{#if zero ' +
    'includeZero=true}}y{{else}}n{{/if}}{{#if none}}y{{else}}n{{/if}}',
  '{{#unless no}}y{{/unless}}{{#unless yes}}y{{else}}n{{/unless}}',
  '{{#if no}}a{{else if zero}}b{{else if yes}}c{{else}}d{{/if}}',
  '{{#each list}}{{@index}}{{this}}{{#if @first}}!{{/if}}{{#unless @last}},{{/unless}}{{/each}}',
  '{{#each prices}}{{@key}}={{this}};{{/each}}',
  '{{#each none}}x{{else}}nobody{{/each}}{{#each gone}}x{{else}}nobody{{/each}}',
  '{{#each people}}{{name}}: {{#each tags}}{{../name}}-{{this}}-{{@index}}-{{@../index}} {{else}}no ' +
    'tags{{/each}}; {{/each}}',
  '{{#each people as |person number|}}{{number}} {{person.name}} {{#each person.tags as ' +
    '|tag|}}{{tag}}{{person.name}}{{/each}}{{/each}}',
  '{{#each people}}{{#if tags}}{{../name}}{{/if}}{{/each}}',
  '{{#with user}}{{first}} {{../name}} {{#with address}}{{city}} {{../first}} {{../../name}}{{/with}}{{/with}}' +
    '{{#with gone}}x{{else}}none{{/with}}',
  '{{#with user as |u|}}{{u.first}}{{/with}}',
  '{{#people}}{{name}}{{/people}}{{#yes}}y{{name}}{{/yes}}{{^no}}n{{/no}}{{#user}}{{first}}{{/user}}' +
    '{{#none}}x{{else}}none{{/none}}',
  '{{lookup prices key}} {{lookup list 0}} {{#each list}}{{lookup ../list @index}}{{/each}}',
  '{{@root.name}} {{#each list}}{{@root.user.first}}{{/each}}',
  '{{! a comment }}{{!-- another {{x}} --}}x',
  '  {{~name~}}  |',
  '{{#if yes}}\n  line\n{{/if}}\nnext\n',
  '\\{{raw}} \\\\{{name}}',
  '{{#if yes}}a{{^}}b{{/if}}'.repeat(150),
  "{{#if yes}}{{'name'}}{{[name]}}{{/if}}",
  '{{constructor}}|{{user.constructor}}|{{__proto__}}|{{user.__proto__.x}}|{{toString}}|{{list.map}}',
  '{{#each list}}{{#each ../people}}{{name}}{{../this}}{{@index}}{{@../index}}{{/each}}{{/each}}',
];

describe('renderTemplate', () => {
  for (const source of LIKE_HANDLEBARS) {
    it(`renders as Handlebars does: ${source.replaceAll('\n', '⏎')}`, async () => {
      for (const as of ['html', 'text'] as const) {
        const rendered = await renderTemplate(source, { variables: VARIABLES, as });
        assert.ok(rendered.ok, JSON.stringify(rendered));
        assert.equal(rendered.text, handlebars.compile(source, { noEscape: as === 'text' })(VARIABLES));
      }
    });
  }

  it('knows `equal`, in blocks and in values', async () => {
    const rendered = await renderTemplate(
      '{{#equal user.first "Ann"}}yes{{else}}no{{/equal}}{{#if (equal zero 1)}}one{{else}}not one{{/if}}',
      { variables: VARIABLES, as: 'text' },
    );
    assert.deepEqual(rendered, { ok: true, text: 'yesnot one', missing: [] });
  });

  it('says which names had no value', async () => {
    const rendered = await renderTemplate('{{first_name}} {{name}} {{user.middle}} {{#if vip}}x{{/if}}', {
      variables: VARIABLES,
      as: 'text',
    });
    assert.deepEqual(rendered.ok && rendered.missing, ['first_name', 'user.middle', 'vip']);
  });

  const faults: [source: string, problem: RegExp, line: number | null][] = [
    ['a\n{{#if x}}', /cannot be read/, 2],
    ['a\nb {{x', /cannot be read/, 2],
    ['{{#if x}}{{/each}}', /if doesn't match each/, 1],
    ['{{> other}}', /Partials .* not supported/, 1],
    ['{{#*inline "a"}}{{> a}}{{/inline}}', /Decorators .* not supported/, 1],
    ['x\n\n{{shout name}}', /helper "shout" is not known/, 3],
    ['{{#repeat 5}}x{{/repeat}}', /#repeat is not known/, 1],
    ['{{#if}}x{{/if}}', /#if takes one value/, 1],
  ];
  for (const [source, problem, line] of faults) {
    it(`says what is wrong with ${source.replaceAll('\n', '⏎')}, and where`, async () => {
      const rendered = await renderTemplate(source, { variables: VARIABLES, as: 'text' });
      assert.ok(!rendered.ok);
      assert.match(rendered.fault.problem, problem);
      assert.equal(rendered.fault.line, line);
    });
  }

  it('stops a template that repeats without end, grows without end or nests without end', async () => {
    const big = Array.from({ length: 2000 }, (_, index) => index);
    const squared = '{{#each big}}{{#each ../big}}{{#each ../../big}}x{{/each}}{{/each}}{{/each}}';
    const repeats = await renderTemplate(squared, { variables: { big }, as: 'text' });
    assert.match(repeats.ok ? '' : repeats.fault.problem, /repeats too much/);
    const grows = await renderTemplate('{{#each big}}{{text}}{{../text}}{{/each}}', {
      variables: { big, text: 'x'.repeat(100_000) },
      as: 'text',
    });
    assert.match(grows.ok ? '' : grows.fault.problem, /longer than/);
    for (const depth of [150, 50_000]) {
      const nests = await renderTemplate('{{#if a}}'.repeat(depth) + '{{/if}}'.repeat(depth), {
        variables: { a: 1 },
        as: 'text',
      });
      assert.match(nests.ok ? '' : nests.fault.problem, /nested|longer/);
    }
    const long = await renderTemplate('x'.repeat(1024 * 1024 + 1), { variables: {}, as: 'text' });
    assert.match(long.ok ? '' : long.fault.problem, /longer than/);
  });
});

describe('fillRecipientVariables', () => {
  const recipient = {
    address: 'ann@example.com',
    variables: { first_name: 'Ann', last_name: 'O’Hara <3', n: 7, deep: { x: 'y' }, 'naïve-1': 'ok' },
  };

  it('fills names, numbers, values within values and the address', () => {
    const { text, missing } = fillRecipientVariables(
      '%recipient.first_name% %recipient.last_name% %recipient.n% %recipient.deep.x% %recipient.deep% ' +
        '%recipient.naïve-1% %recipient%',
      { ...recipient, as: 'text' },
    );
    assert.equal(text, 'Ann O’Hara <3 7 y {"x":"y"} ok ann@example.com');
    assert.deepEqual(missing, []);
  });
  it('escapes values in HTML', () => {
    assert.equal(
      fillRecipientVariables('<p title="%recipient.last_name%">', { ...recipient, as: 'html' }).text,
      '<p title="O’Hara &lt;3">',
    );
  });
  it('leaves what has no value where it is seen, and lists it', () => {
    const { text, missing } = fillRecipientVariables('%recipient.gone% 100% %recipient.constructor% %recipients.x%', {
      ...recipient,
      as: 'text',
    });
    assert.equal(text, '%recipient.gone% 100% %recipient.constructor% %recipients.x%');
    assert.deepEqual(missing, ['gone', 'constructor']);
  });
  it('fills once: values are not read for variables', () => {
    const variables = { a: '%recipient.b%', b: '$& $1' };
    assert.equal(
      fillRecipientVariables('%recipient.a% %recipient.b%', { address: 'x', variables, as: 'text' }).text,
      '%recipient.b% $& $1',
    );
  });
  it('stops growing', () => {
    const { text, isCut } = fillRecipientVariables('%recipient.a%'.repeat(100), {
      address: 'x',
      variables: { a: 'x'.repeat(1_000_000) },
      as: 'text',
    });
    assert.ok(isCut);
    assert.ok(text.length < 11 * 1024 * 1024);
  });
  it('lists the names a text asks for', () => {
    assert.deepEqual(recipientVariablesIn('%recipient.a% %recipient% %recipient.b.c% %recipient.a%'), ['a', 'b.c']);
  });
});
