import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { selfSigned } from './self-signed.ts';

describe('selfSigned', () => {
  it('makes a certificate that is valid today, signed by its own key', () => {
    const { key, cert } = selfSigned('Galley assets');
    const parsed = new X509Certificate(cert);
    assert.equal(parsed.subject, 'CN=Galley assets');
    assert.ok(parsed.verify(parsed.publicKey));
    assert.ok(parsed.validFromDate.getTime() < Date.now() && parsed.validToDate.getTime() > Date.now());
    assert.match(key, /^-----BEGIN PRIVATE KEY-----/);
  });

  it('makes a new one each time', () => {
    assert.notEqual(selfSigned('a').cert, selfSigned('a').cert);
  });
});
