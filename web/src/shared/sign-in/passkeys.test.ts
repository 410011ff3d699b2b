import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { passkeyProblem } from './passkeys.ts';

const at = (origin: string, isSecureContext: boolean) => ({
  isSecureContext,
  location: { origin, hostname: new URL(origin).hostname },
});
const NAMED = at('https://galley.example.com', true);

const CASES: [what: string, given: Parameters<typeof passkeyProblem>, sentence: RegExp][] = [
  [
    'http',
    [null, at('http://galley.example.com', false), false],
    /only at https addresses .* http:\/\/galley\.example/,
  ],
  [
    'an IPv4 address',
    [null, at('https://192.0.2.1:8443', true), true],
    /with a name; this page is at .*192\.0\.2\.1:8443/,
  ],
  ['an IPv6 address', [null, at('https://[2001:db8::1]', true), true], /addresses with a name/],
  ['an old browser', [NAMED.location, NAMED, false], /^This browser has no passkeys\./],
  [
    'a proxy that Galley does not know',
    [null, NAMED, true],
    /operates it sets GALLEY_PUBLIC_URL to https:\/\/galley\.example\.com\.$/,
  ],
  [
    'another address',
    [{ origin: 'https://mail.example.com' }, NAMED, true],
    /^Passkeys work at https:\/\/mail\.example\.com alone, and this page is at https:\/\/galley\.example\.com\./,
  ],
];

describe('why there are no passkeys', () => {
  for (const [what, given, sentence] of CASES)
    it(`is told for ${what}`, () => assert.match(passkeyProblem(...given) ?? '', sentence));

  it('is nothing where there are', () => {
    assert.equal(passkeyProblem(NAMED.location, NAMED, true), undefined);
    assert.equal(
      passkeyProblem(undefined, at('http://localhost:8080', true), true),
      undefined,
      'while it is not known',
    );
  });
});
