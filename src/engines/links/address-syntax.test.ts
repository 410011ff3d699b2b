import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeMailto } from './mailto.ts';
import { judgePhone } from './phone-uri.ts';
import type { Verdict } from './types.ts';

function expectAll(judge: (url: string) => Verdict, cases: Record<string, [Verdict['severity'], RegExp]>): void {
  for (const [url, [severity, message]] of Object.entries(cases)) {
    const verdict = judge(url);
    assert.equal(verdict.severity, severity, `${url}: ${verdict.message}`);
    assert.match(verdict.message, message, url);
  }
}

describe('mailto: (RFC 6068)', () => {
  it('passes what the RFC gives as examples', () => {
    for (const url of [
      'mailto:chris@example.com',
      'mailto:infobot@example.com?subject=current-issue',
      'mailto:infobot@example.com?body=send%20current-issue%0D%0Asend%20index',
      'mailto:list@example.org?In-Reply-To=%3C3469A91.D10AF4C@example.com%3E',
      'mailto:joe@example.com?cc=bob@example.com&body=hello',
      'mailto:gorby%25kremvax@example.com',
      'mailto:unlikely%3Faddress@example.com?blat=foo'.replace('?blat=foo', ''),
      'mailto:user@example.org?subject=caf%C3%A9',
      'mailto:%22not%40me%22@example.org',
      'mailto:addr1@an.example,addr2@an.example',
      'mailto:?to=addr1@an.example',
      'MAILTO:tel+1@sub.example.co.uk',
    ])
      assert.equal(judgeMailto(url).severity, 'pass', url);
  });
  it('says what is wrong', () => {
    expectAll(judgeMailto, {
      'mailto:': ['error', /has no recipient/],
      'mailto:?subject=Share%20this': ['warning', /has no recipient/],
      'mailto:someone': ['error', /“someone” is not an email address/],
      'mailto:a@localhost': ['error', /not an email address/],
      'mailto:a@b.example;c@d.example': ['error', /semicolon/],
      'mailto:a@@b.example': ['error', /not an email address/],
      'mailto:a@b.example?subject=100%': ['error', /subject contains a percent sign/],
      'mailto:%zz@b.example': ['error', /percent sign/],
      'mailto:a@b.example?subject=x&amp;body=y': ['error', /encoded twice/],
      'mailto:a@b.example?subject=Hello there': ['warning', /contains a space/],
      'mailto:a@b.example?subject=Hello+there': ['warning', /plus signs/],
      'mailto:a@b.example?subject=x?body=y': ['warning', /second question mark/],
      'mailto:a@b.example?attach=/etc/passwd': ['warning', /ignore the field attach/],
      [`mailto:a@b.example?body=${'x'.repeat(3000)}`]: ['warning', /3024 characters/],
    });
  });
});

describe('tel: (RFC 3966)', () => {
  it('passes numbers that every phone dials', () => {
    for (const url of [
      'tel:+4930123456',
      'tel:+1-201-555-0123',
      'tel:+1(201)555.0123',
      'tel:112',
      'tel:7042;phone-context=example.com',
      'tel:863-1234567;phone-context=+1-914',
      'TEL:+358-555-1234567',
    ])
      assert.equal(judgePhone(url).severity, 'pass', url);
  });
  it('says what is wrong', () => {
    expectAll(judgePhone, {
      'tel:': ['error', /holds no number/],
      'tel:+': ['error', /holds no number/],
      'tel:1-800-FLOWERS': ['error', /“F”, which no phone dials/],
      'tel:+49 (0)30 123456': ['error', /holds \(0\)/],
      'tel:0049+30123': ['error', /plus sign inside/],
      'tel:+030123456': ['error', /No country code starts with 0/],
      'tel:+49301234567890123': ['error', /17 digits/],
      'tel:+49 30 123456': ['warning', /holds a space/],
      'tel:%2B4930123': ['error', /which no phone dials/],
      'tel:030123456': ['info', /no country code/],
    });
  });
});

describe('sms: (RFC 5724)', () => {
  it('passes the examples of the RFC', () => {
    for (const url of [
      'sms:+15105550101',
      'sms:+15105550101,+15105550102',
      'sms:+15105550101?body=hello%20there',
      'sms:12345?body=JOIN',
    ])
      assert.equal(judgePhone(url).severity, 'pass', url);
  });
  it('says what is wrong', () => {
    expectAll(judgePhone, {
      'sms:?body=hi': ['warning', /names no number/],
      'sms:+15105550101&body=hi': ['warning', /old iPhones/],
      'sms:+15105550101?text=hi': ['warning', /ignore the field text/],
      'sms:+15105550101?body=100%': ['error', /percent sign/],
      'sms:abc': ['error', /“a”, which no phone dials/],
      'smsto:+15105550101': ['warning', /Few phones know smsto/],
    });
  });
});
