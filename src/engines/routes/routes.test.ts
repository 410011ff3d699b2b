import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { costOf, couldMatch, fillAction, matchRoute, readAction, readExpression, RouteFault } from './index.ts';

const to = (recipient: string, headers: Record<string, string> = {}) => ({
  recipient,
  headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
});
const matches = (expression: string, message: ReturnType<typeof to>): boolean =>
  matchRoute(readExpression(expression), message) !== undefined;

describe('expressions', () => {
  for (const [expression, message, isMatch] of [
    ['catch_all()', to('a@b.example'), true],
    ['match_recipient("ann@b.example")', to('Ann@B.example'), true],
    ["match_recipient('ann@b.example')", to('joann@b.example'), false],
    ['match_recipient("ann")', to('ann+1@b.example'), true],
    ['match_recipient("^ann@b\\.example$")', to('ann@bxexample'), false],
    ['match_header("subject", ".*support")', to('a@b.example', { Subject: 'I need support' }), true],
    ['match_header("Subject", "support")', to('a@b.example', { Subject: 'I need support' }), false],
    ['match_header("subject", "Support")', to('a@b.example', { subject: 'support' }), false],
    ['match_header("x-none", ".*")', to('a@b.example'), false],
    ['match_recipient(".*@b") and match_header("x", "1")', to('a@b', { x: '1' }), true],
    ['match_recipient(".*@b") and match_header("x", "1")', to('a@b', { x: '2' }), false],
    ['match_recipient("x") or match_recipient("a") and not catch_all()', to('a@b'), false],
    ['(match_recipient("x") or match_recipient("a")) AND NOT match_header("x", "1")', to('a@b'), true],
    ['match_recipient("it\\"s")', to('it"s@b'), true],
  ] as const)
    it(`${isMatch ? 'are' : 'are not'} met: ${expression} by ${message.recipient}`, () =>
      assert.equal(matches(expression, message), isMatch));

  it('say what groups found, by name and by number', () => {
    const expression = readExpression(
      'match_recipient("(?P<user>.*?)\\+(.*)@") and match_header("subject", "#(?<no>[0-9]+)")',
    );
    const captures = matchRoute(expression, to('ann+shop@b.example', { Subject: '#17 is late' }));
    assert.deepEqual([captures?.get('user'), captures?.get('2'), captures?.get('no')], ['ann', 'shop', '17']);
    assert.equal(fillAction('\\g<user>@crm.example', captures!, 'address'), 'ann@crm.example');
    const hostile = new Map([['1', '../x?y=z&@evil.example/']]);
    assert.equal(
      fillAction('https://a.example/\\1', hostile, 'url'),
      'https://a.example/..%2Fx%3Fy%3Dz%26%40evil.example%2F',
    );
    assert.equal(fillAction('a\\g<none>b', new Map(), 'address'), 'ab');
  });

  it('tell what no header could change', () => {
    const could = (expression: string): boolean => couldMatch(readExpression(expression), 'ann@b.example');
    assert.equal(could('match_header("subject", "x")'), true);
    assert.equal(could('not match_header("subject", "x")'), true);
    assert.equal(could('match_recipient("bob") and match_header("subject", "x")'), false);
    assert.equal(could('match_recipient("bob") or match_header("subject", "x")'), true);
    assert.equal(could('not match_recipient("ann") and match_header("subject", "x")'), false);
  });

  for (const [expression, message] of [
    ['', /at the end, match_recipient\("…"\)/],
    ['match_recipient("a"', /at the end, \) is expected/],
    ['match_recipient("a) ', /the quote at character 17 is not closed/],
    ['match_sender("a")', /"match_sender" is not known; valid is match_recipient/],
    ['match_recipient("a", "b")', /match_recipient has 2 texts in quotes, and takes 1/],
    ['match_header("subject")', /match_header has 1 texts in quotes, and takes 2/],
    ['match_header("no name", "x")', /"no name" names no header field/],
    ['catch_all() catch_all()', /at character 13, "and", "or" or the end is expected/],
    ['catch_all() ; drop', /";" at character 13 was not expected/],
    ['match_recipient("(a")', /"\(a" is no regular expression of RE2/],
    ['match_recipient("(?=a)b")', /look-around and references within an expression are not part of it/],
    ['match_recipient("(a|b|c|d|e){999}")', /is too large: its repetitions come to more than 2000 steps/],
    [`match_recipient("${'a'.repeat(501)}")`, /at most 500 characters/],
    [`${'not '.repeat(30)}catch_all()`, /nests at most 20 deep/],
    [Array.from({ length: 51 }, () => 'catch_all()').join(' or '), /at most 50 conditions/],
    ['a'.repeat(4001), /at most 4000 characters/],
  ] as const)
    it(`are refused: ${expression.slice(0, 40)}`, () =>
      assert.throws(
        () => readExpression(expression),
        (error) => error instanceof RouteFault && message.test(error.message),
      ));

  it('that hang other engines are met in a time that is linear in the text', () => {
    for (const source of ['(a+)+$', '(a|a)*$', '(.*a){20}$', '(\\\\w+\\\\s?)*$']) {
      const expression = readExpression(`match_header("subject", "${source}")`);
      assert.ok(costOf(expression) <= 2000);
      assert.equal(matchRoute(expression, to('a@b', { subject: `${'a'.repeat(900)}!` })), undefined);
    }
  });
});

describe('actions', () => {
  for (const [source, action] of [
    ['forward("https://a.example/x")', { does: 'forward', to: 'url', target: 'https://a.example/x' }],
    ["forward('ann@b.example')", { does: 'forward', to: 'address', target: 'ann@b.example' }],
    ['store()', { does: 'store', notify: undefined }],
    ['store(notify="https://a.example")', { does: 'store', notify: 'https://a.example' }],
    [" Store( notify = 'https://a.example' ) ", { does: 'store', notify: 'https://a.example' }],
    ['stop()', { does: 'stop' }],
  ] as const)
    it(`are read: ${source}`, () => assert.deepEqual(readAction(source), action));

  for (const [source, message] of [
    ['forward()', /forward needs a text in quotes/],
    ['stop("x")', /stop takes no text/],
    ['bounce()', /"bounce" is not known; valid is forward/],
    ['forward("a") stop()', /the end is expected/],
    ['', /at the end, forward/],
    [`forward("${'a'.repeat(2000)}")`, /at most 2000 characters/],
  ] as const)
    it(`are refused: ${source.slice(0, 30)}`, () =>
      assert.throws(
        () => readAction(source),
        (error) => error instanceof RouteFault && message.test(error.message),
      ));
});
