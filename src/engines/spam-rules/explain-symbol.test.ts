import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explainSymbol } from './index.ts';

describe('explainSymbol', () => {
  const cases: [string, RegExp, boolean][] = [
    ['RDNS_NONE', /no name/, true],
    ['GTUBE', /test string/, true],
    ['R_SPF_ALLOW', /SPF passes/, false],
    ['DATE_IN_PAST_96_XX', /older/, true],
    ['HTML_IMAGE_ONLY_24', /little text/, true],
    ['RCVD_IN_DNSWL_BLOCKED', /refused to answer/, true],
    ['RCVD_IN_SBL_CSS', /is on a list/, true],
    ['URIBL_BLOCKED', /refused to answer/, true],
    ['URIBL_BLACK', /blocklist/, true],
    ['BAYES_00', /good mail/, false],
    ['BAYES_99', /as in spam/, true],
    ['DMARC_POLICY_REJECT', /asks to reject/, true],
    ['ABUSE_SURBL', /blocklist/, true],
    ['MIME_HTML_ONLY', /text part/, true],
    ['MIME_QP_LONG_LINE', /structure/, true],
  ];
  for (const [name, meaning, hasFix] of cases) {
    it(`knows ${name}`, () => {
      const advice = explainSymbol(name);
      assert.match(advice?.meaning ?? '', meaning);
      assert.equal(typeof advice?.fix === 'string', hasFix);
    });
  }
  for (const name of ['', 'A_RULE_OF_SOME_SITE', '__proto__', 'constructor', 'toString'])
    it(`says nothing about "${name}"`, () => assert.equal(explainSymbol(name), undefined));
});
