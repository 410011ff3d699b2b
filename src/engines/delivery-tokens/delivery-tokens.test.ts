import assert from 'node:assert/strict';
import { createSecretKey, type KeyObject } from 'node:crypto';
import { describe, it } from 'node:test';
import { bounceAddress, bounceTokenOf, openDelivery, sealDelivery } from './index.ts';

const SECRET = createSecretKey(Buffer.alloc(32, 7));
const OTHER = createSecretKey(Buffer.alloc(32, 8));
const NAME = { messageId: '1234567', position: 42 };
const TOKEN = sealDelivery(NAME, SECRET);

/** The same text with another letter at one place. */
const changed = (at: number): string => TOKEN.slice(0, at) + (TOKEN[at] === 'A' ? 'B' : 'A') + TOKEN.slice(at + 1);

describe('delivery tokens', () => {
  for (const name of [
    { messageId: '0', position: 0 },
    { messageId: '1', position: 999 },
    NAME,
    { messageId: '281474976710655', position: 65_535 },
  ])
    it(`names recipient ${name.position} of message ${name.messageId} and gives it back`, () => {
      const token = sealDelivery(name, SECRET);
      assert.match(token, /^[\w-]{22}$/);
      assert.equal(sealDelivery(name, SECRET), token);
      assert.deepEqual(openDelivery(token, SECRET), name);
    });

  const forged: [string, string, KeyObject][] = [
    ['with the secret of another service', TOKEN, OTHER],
    ['made for another purpose', sealDelivery(NAME, OTHER), SECRET],
    ['cut by a letter', TOKEN.slice(0, -1), SECRET],
    ['cut to nothing', '', SECRET],
    ['longer by a letter', `${TOKEN}A`, SECRET],
    ['longer by a line', `${TOKEN}\n`, SECRET],
    ['padded', `${TOKEN}==`, SECRET],
    ['of letters that are none of its own', `${TOKEN.slice(0, -1)}+`, SECRET],
    ['in capitals', TOKEN.toUpperCase(), SECRET],
    ['of zeros', 'A'.repeat(22), SECRET],
  ];
  for (const [what, token, secret] of forged)
    it(`does not open one ${what}`, () => assert.equal(openDelivery(token, secret), undefined));

  it('does not open one with any letter changed', () => {
    for (let at = 0; at < TOKEN.length; at++)
      assert.equal(openDelivery(changed(at), SECRET), undefined, `letter ${at}`);
  });
  it('does not open one with any other last letter, of which four bits say nothing', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const opened = [...letters].filter((letter) => openDelivery(TOKEN.slice(0, -1) + letter, SECRET));
    assert.deepEqual(opened, [TOKEN.at(-1)]);
  });

  for (const [messageId, position] of [
    ['281474976710656', 0],
    ['-1', 0],
    ['1', 65_536],
    ['1', -1],
    ['1', 0.5],
  ] as const)
    it(`makes none for recipient ${position} of message ${messageId}`, () =>
      assert.throws(() => sealDelivery({ messageId, position }, SECRET), RangeError));
});

describe('bounce addresses', () => {
  it('carries the token', () => assert.equal(bounceAddress(TOKEN, 'mx.example.com'), `b+${TOKEN}@mx.example.com`));
  const cases: [string, string | undefined][] = [
    [`b+${TOKEN}@mx.example.com`, TOKEN],
    [`B+${TOKEN}@MX.EXAMPLE.COM`, TOKEN],
    [`c+${TOKEN}@mx.example.com`, undefined],
    [`b+${TOKEN}x@mx.example.com`, undefined],
    [`xb+${TOKEN}@mx.example.com`, undefined],
    [`b+@mx.example.com`, undefined],
    [`b+${TOKEN}`, undefined],
    [`b+${TOKEN}@a@b`, undefined],
    ['', undefined],
  ];
  for (const [address, token] of cases)
    it(`reads ${address || 'nothing'}`, () => assert.equal(bounceTokenOf(address), token));
});
