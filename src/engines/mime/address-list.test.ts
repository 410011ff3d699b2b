import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isMailAddress, parseAddressList } from './index.ts';

describe('parseAddressList', () => {
  const lists: [text: string, addresses: string[]][] = [
    ['ann@example.com', ['|ann@example.com']],
    ['ann@example.com, Bob <bob@example.com>', ['|ann@example.com', 'Bob|bob@example.com']],
    ['"Doe, Jane" <jane@example.com>,x@y.example', ['Doe, Jane|jane@example.com', '|x@y.example']],
    ['"a \\"quoted\\" name" <a@b.example>', ['a "quoted" name|a@b.example']],
    ['ann@example.com (Ann, of Accounts)', ['Ann, of Accounts|ann@example.com']],
    ['=?utf-8?q?J=C3=BCrgen?= <j@example.com>', ['Jürgen|j@example.com']],
    ['jürgen@bücher.example', ['|jürgen@bücher.example']],
    ['"odd local"@example.com', ['|"odd local"@example.com']],
    [' , a@b.example,, ', ['|a@b.example']],
    ['', []],
  ];
  for (const [text, addresses] of lists)
    it(`reads ${text || 'nothing'}`, () =>
      assert.deepEqual(parseAddressList(text), {
        mailboxes: addresses.map((one) => ({ name: one.split('|')[0], address: one.split('|')[1] })),
        wrong: undefined,
      }));

  it('names the first that is none', () => assert.equal(parseAddressList('a@b.example, nobody, c@').wrong, 'nobody'));

  const wrong = [
    'nobody',
    'a@localhost',
    'a@b@c.example x',
    '@example.com',
    'a@',
    'a@-x.example',
    'a b@example.com',
    'a@example.com\r\nBcc: x@y.example',
    'a..b@example.com',
    'a@192.0.2.1',
    `${'a'.repeat(65)}@example.com`,
    'friends: a@b.example;',
    '<a@b.example',
    'a@exa_mple.com',
  ];
  for (const text of wrong)
    it(`takes ${JSON.stringify(text)} for none`, () => assert.equal(isMailAddress(text), false));

  it('takes time in proportion to the length', () => {
    for (const character of ['(', '"', ',', '<', '\\', '@', '.']) parseAddressList(character.repeat(500_000));
  });
});
