// Expressions and actions as rows of the form, and back.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { actionsOf, readActions } from './actions.ts';
import { conditionWords, expressionOf, readConditions } from './conditions.ts';
import { quote, readQuoted } from './quoted.ts';

const recipient = (how: string, text: string) => ({ of: 'recipient', header: '', how, text });
const header = (name: string, how: string, text: string) => ({ of: 'header', header: name, how, text });

describe('rows of conditions', () => {
  const known: [expression: string, join: 'and' | 'or', rows: object[]][] = [
    ['catch_all()', 'and', [{ of: 'all', header: '', how: 'is', text: '' }]],
    [String.raw`match_recipient("bob@shop\.example$")`, 'and', [recipient('is', 'bob@shop.example')]],
    [String.raw`match_recipient("orders\+")`, 'and', [recipient('begins', 'orders+')]],
    [String.raw`match_recipient(".*@shop\.example$")`, 'and', [recipient('ends', '@shop.example')]],
    [
      String.raw`match_recipient("orders\+(?P<no>[0-9]+)@.*")`,
      'and',
      [recipient('matches', String.raw`orders\+(?P<no>[0-9]+)@.*`)],
    ],
    [
      'match_recipient("bob@") or match_header("subject", "(?i).*order")',
      'or',
      [recipient('begins', 'bob@'), header('subject', 'contains', 'order')],
    ],
    [
      'match_header("X-A", "Yes") and match_header("X-B", "(?i)no$")',
      'and',
      [header('X-A', 'matches', 'Yes'), header('X-B', 'is', 'no')],
    ],
    [String.raw`match_recipient("a\"b")`, 'and', [recipient('begins', 'a"b')]],
    [String.raw`match_recipient("a\\\$")`, 'and', [recipient('begins', String.raw`a\$`)]],
  ];
  for (const [expression, join, rows] of known)
    it(`are read and written alike: ${expression}`, () => {
      const read = readConditions(expression);
      assert.deepEqual(read, { join, rows });
      assert.equal(expressionOf(read!), expression);
    });

  for (const expression of [
    'not catch_all()',
    '(catch_all())',
    'catch_all() or catch_all() and catch_all()',
    'match_recipient("a',
    'match_recipient(a)',
    'catch_all() catch_all()',
    '',
  ])
    it(`have no form of ${expression || 'nothing'}`, () => assert.equal(readConditions(expression), undefined));

  it('are said in words, where words say all', () => {
    assert.equal(
      conditionWords(String.raw`match_recipient(".*@shop\.example$") and match_header("subject", "(?i)order")`),
      'The recipient ends with “@shop.example” and subject begins with “order”',
    );
    assert.equal(conditionWords('match_recipient("a|b")'), undefined);
  });
});

describe('rows of actions', () => {
  const actions = [
    String.raw`forward("https://shop.example/\g<no>")`,
    'forward("ann@example.com")',
    'store(notify="https://shop.example/kept")',
    'store()',
    'stop()',
  ];

  it('are read and written alike', () => {
    const read = readActions(actions);
    assert.deepEqual(
      [read.isLast, read.rows.map(({ does }) => does)],
      [true, ['forward_url', 'forward_address', 'notify', 'store']],
    );
    assert.deepEqual(actionsOf(read), actions);
  });
});

describe('texts in quotes', () => {
  for (const text of ['', 'a', 'a"b', String.raw`a\.b`, String.raw`a\\`, `a'b`])
    it(`come back as they were: ${text}`, () => assert.equal(readQuoted(quote(text))?.text, text));

  it('never end early', () => assert.equal(readQuoted(quote(String.raw`a\"b`))?.text, 'a"b'));
});
