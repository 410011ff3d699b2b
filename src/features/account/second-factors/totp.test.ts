import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeOf, keyUrl, stepAt, stepOfCode, toBase32 } from './totp.ts';

const SECRET = Buffer.from('12345678901234567890');

describe('codes of authenticator apps', () => {
  // RFC 6238, appendix B, mode SHA1: eight digits, of which a code of six has the last.
  for (const [seconds, code] of [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ] as const)
    it(`are those of RFC 6238 at ${seconds}`, () =>
      assert.equal(codeOf(SECRET, stepAt(new Date(seconds * 1000))), code.slice(2)));

  // RFC 4226, appendix D.
  it('are those of RFC 4226', () =>
    assert.deepEqual(
      Array.from({ length: 10 }, (_, step) => codeOf(SECRET, step)),
      ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'],
    ));

  it('are good a step before and after, and only after the last one', () => {
    const now = new Date(1_000_000_000_000);
    const at = stepAt(now);
    const given = (step: number, lastStep = 0) => stepOfCode(SECRET, { code: codeOf(SECRET, step), now, lastStep });
    assert.deepEqual(
      [-2, -1, 0, 1, 2].map((away) => given(at + away)),
      [undefined, at - 1, at, at + 1, undefined],
    );
    assert.deepEqual(
      [-1, 0, 1].map((away) => given(at + away, at)),
      [undefined, undefined, at + 1],
    );
    for (const code of ['', '1', '12345678']) assert.equal(stepOfCode(SECRET, { code, now, lastStep: 0 }), undefined);
  });
});

describe('a secret', () => {
  // RFC 4648, section 10, without padding.
  for (const [text, written] of [
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ] as const)
    it(`is written in Base32: ${text}`, () => assert.equal(toBase32(Buffer.from(text)), written));

  it('is told to the app as an address', () =>
    assert.equal(
      keyUrl('MZXW6YTBOI', 'ann+x@example.com'),
      'otpauth://totp/Galley:ann%2Bx%40example.com?secret=MZXW6YTBOI&issuer=Galley',
    ));
});
