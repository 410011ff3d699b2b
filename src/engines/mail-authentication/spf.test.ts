// Our own cases from the text of RFC 7208, each against a declared zone.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createZoneDns, type DeclaredZone } from '../../../test/harness/dns-zone.ts';
import { boundedResolver } from './bounded-dns.ts';
import { checkSpf } from './spf.ts';
import type { SpfResult } from './types.ts';

interface Case {
  section: string;
  what: string;
  /** Of `example.com`, when there is just that. */
  record?: string;
  zone?: DeclaredZone;
  ip?: string;
  from?: string;
  helo?: string;
  result: SpfResult;
  explanation?: string;
}

const HERE = '192.0.2.1';
const HERE_V6 = '2001:db8::1';
const pass = (name: string): DeclaredZone => ({ [name]: { TXT: [`v=spf1 ip4:${HERE} -all`] } });
const includes = (count: number): DeclaredZone =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`i${index}.example.com`, { TXT: ['v=spf1 ip4:198.51.100.1'] }]),
  );
const includeAll = (count: number): string =>
  Array.from({ length: count }, (_, index) => `include:i${index}.example.com`).join(' ');

const CASES: readonly Case[] = [
  // Records and their selection
  { section: '4.5', what: 'no record', zone: { 'example.com': { A: [HERE] } }, result: 'none' },
  { section: '4.3', what: 'a domain that does not exist', zone: {}, result: 'none' },
  { section: '4.5', what: 'another version', record: 'v=spf10 +all', result: 'none' },
  { section: '4.5', what: 'no blank after the version', record: 'v=spf1-all', result: 'none' },
  {
    section: '4.5',
    what: 'a record among others',
    zone: { 'example.com': { TXT: ['google-site-verification=1', 'v=spf1 +all', 'x'] } },
    result: 'pass',
  },
  {
    section: '4.5',
    what: 'two records',
    zone: { 'example.com': { TXT: ['v=spf1 +all', 'v=spf1 -all'] } },
    result: 'permerror',
  },
  {
    section: '3.3',
    what: 'a record in two strings, joined without a blank',
    zone: { 'example.com': { TXT: [['v=spf1 ip4:192.0', '.2.1 -all']] } },
    result: 'pass',
  },
  { section: '4.5', what: 'the version in upper case', record: 'V=SPF1 +all', result: 'pass' },
  { section: '4.7', what: 'an empty policy', record: 'v=spf1', result: 'neutral' },
  { section: '4.3', what: 'a domain with one label', from: 'a@localhost', zone: {}, result: 'none' },
  {
    section: '4.3',
    what: 'a domain with a label of 64 characters',
    from: `a@${'x'.repeat(64)}.example.com`,
    zone: {},
    result: 'none',
  },
  { section: '4.3', what: 'an address literal as domain', from: 'a@[192.0.2.1]', zone: {}, result: 'none' },
  {
    section: '4.4',
    what: 'a name server that fails',
    zone: { 'example.com': { fails: 'ESERVFAIL' } },
    result: 'temperror',
  },
  {
    section: '4.4',
    what: 'a name server that is silent',
    zone: { 'example.com': { fails: 'ETIMEOUT' } },
    result: 'temperror',
  },
  // Qualifiers
  { section: '4.6.2', what: '+all', record: 'v=spf1 +all', result: 'pass' },
  { section: '4.6.2', what: '-all', record: 'v=spf1 -all', result: 'fail' },
  { section: '4.6.2', what: '~all', record: 'v=spf1 ~all', result: 'softfail' },
  { section: '4.6.2', what: '?all', record: 'v=spf1 ?all', result: 'neutral' },
  { section: '4.6.2', what: 'all', record: 'v=spf1 all', result: 'pass' },
  { section: '4.6.2', what: 'the first match decides', record: 'v=spf1 -ip4:192.0.2.1 +all', result: 'fail' },
  {
    section: '4.6.2',
    what: 'a soft qualifier on a mechanism',
    record: 'v=spf1 ~ip4:192.0.2.0/24 -all',
    result: 'softfail',
  },
  { section: '5.1', what: 'terms after all are never reached', record: 'v=spf1 -all ip4:192.0.2.1', result: 'fail' },
  { section: '5.1', what: 'all with a value', record: 'v=spf1 -all:example.com', result: 'permerror' },
  // Syntax
  {
    section: '4.6',
    what: 'an unknown mechanism',
    record: 'v=spf1 a:x.example.com ip:192.0.2.1 -all',
    result: 'permerror',
  },
  { section: '4.6', what: 'a fault after the match', record: 'v=spf1 ip4:192.0.2.1 ip4:foo -all', result: 'permerror' },
  { section: '4.6.1', what: 'names of mechanisms in upper case', record: 'v=spf1 IP4:192.0.2.1 -ALL', result: 'pass' },
  { section: '6', what: 'an unknown modifier', record: 'v=spf1 foo=bar ip4:192.0.2.1 -all', result: 'pass' },
  {
    section: '6',
    what: 'an unknown modifier with a faulty macro',
    record: 'v=spf1 foo=%{z} ip4:192.0.2.1 -all',
    result: 'permerror',
  },
  {
    section: '6',
    what: 'an unknown modifier without a value',
    record: 'v=spf1 foo= ip4:192.0.2.1 -all',
    result: 'pass',
  },
  {
    section: '6',
    what: 'redirect twice',
    record: 'v=spf1 redirect=a.example.com redirect=b.example.com',
    result: 'permerror',
  },
  { section: '6', what: 'exp twice', record: 'v=spf1 exp=a.example.com exp=b.example.com -all', result: 'permerror' },
  { section: '4.6.1', what: 'several blanks between terms', record: 'v=spf1  ip4:192.0.2.1   -all ', result: 'pass' },
  // ip4 and ip6
  { section: '5.6', what: 'ip4 matches', record: `v=spf1 ip4:${HERE} -all`, result: 'pass' },
  { section: '5.6', what: 'ip4 with a prefix', record: 'v=spf1 ip4:192.0.0.0/16 -all', result: 'pass' },
  {
    section: '5.6',
    what: 'ip4 with a prefix that ends before',
    record: 'v=spf1 ip4:192.0.2.128/25 -all',
    result: 'fail',
  },
  { section: '5.6', what: 'ip4 with prefix 0', record: 'v=spf1 ip4:0.0.0.0/0 -all', result: 'pass' },
  { section: '5.6', what: 'ip4 with prefix 33', record: 'v=spf1 ip4:192.0.2.1/33 -all', result: 'permerror' },
  { section: '5.6', what: 'ip4 with prefix 08', record: 'v=spf1 ip4:192.0.2.1/08 -all', result: 'permerror' },
  { section: '5.6', what: 'ip4 without a value', record: 'v=spf1 ip4 -all', result: 'permerror' },
  { section: '5.6', what: 'ip4 with three numbers', record: 'v=spf1 ip4:192.0.2 -all', result: 'permerror' },
  { section: '5.6', what: 'ip6 matches', record: 'v=spf1 ip6:2001:db8::/32 -all', ip: HERE_V6, result: 'pass' },
  { section: '5.6', what: 'ip6 without a value', record: 'v=spf1 -all ip6', ip: HERE_V6, result: 'permerror' },
  {
    section: '5.6',
    what: 'ip6 with prefix 129',
    record: 'v=spf1 ip6:2001:db8::1/129 -all',
    ip: HERE_V6,
    result: 'permerror',
  },
  { section: '5.6', what: 'ip6 with prefix 0', record: 'v=spf1 ip6:::/0 -all', ip: HERE_V6, result: 'pass' },
  { section: '5.6', what: 'ip6 for an IPv4 client', record: 'v=spf1 ip6:2001:db8::/32 -all', result: 'fail' },
  {
    section: '5',
    what: 'an IPv4 address mapped into IPv6',
    record: `v=spf1 ip4:${HERE} -all`,
    ip: `::ffff:${HERE}`,
    result: 'pass',
  },
  // a
  {
    section: '5.3',
    what: 'a of the domain itself',
    zone: { 'example.com': { TXT: ['v=spf1 a -all'], A: [HERE] } },
    result: 'pass',
  },
  {
    section: '5.3',
    what: 'a of another name',
    zone: {
      'example.com': { TXT: ['v=spf1 a:mail.example.net -all'] },
      'mail.example.net': { A: ['203.0.113.1', HERE] },
    },
    result: 'pass',
  },
  {
    section: '5.3',
    what: 'a with a prefix',
    zone: { 'example.com': { TXT: ['v=spf1 a/24 -all'], A: ['192.0.2.200'] } },
    result: 'pass',
  },
  {
    section: '5.3',
    what: 'a with two prefixes, IPv6',
    zone: { 'example.com': { TXT: ['v=spf1 a/24//64 -all'], AAAA: ['2001:db8::ffff'] } },
    ip: HERE_V6,
    result: 'pass',
  },
  {
    section: '5.3',
    what: 'a with prefix 33',
    zone: { 'example.com': { TXT: ['v=spf1 a/33 -all'], A: [HERE] } },
    result: 'permerror',
  },
  {
    section: '5.3',
    what: 'a through an alias',
    zone: {
      'example.com': { TXT: ['v=spf1 a:m.example.com -all'] },
      'm.example.com': { CNAME: ['real.example.net'] },
      'real.example.net': { A: [HERE] },
    },
    result: 'pass',
  },
  { section: '5.3', what: 'a of a name that does not exist', record: 'v=spf1 a:gone.example.net -all', result: 'fail' },
  {
    section: '5',
    what: 'a whose name server fails',
    zone: { 'example.com': { TXT: ['v=spf1 a:m.example.com -all'] }, 'm.example.com': { fails: 'ESERVFAIL' } },
    result: 'temperror',
  },
  { section: '5.3', what: 'a without a name after the colon', record: 'v=spf1 a: -all', result: 'permerror' },
  // mx
  {
    section: '5.4',
    what: 'mx of the domain itself',
    zone: {
      'example.com': { TXT: ['v=spf1 mx -all'], MX: ['10 m1.example.com', '20 m2.example.com'] },
      'm1.example.com': { A: ['203.0.113.1'] },
      'm2.example.com': { A: [HERE] },
    },
    result: 'pass',
  },
  {
    section: '5.4',
    what: 'mx with a name and a prefix',
    zone: {
      'example.com': { TXT: ['v=spf1 mx:example.net/24 -all'] },
      'example.net': { MX: ['10 m.example.net'] },
      'm.example.net': { A: ['192.0.2.77'] },
    },
    result: 'pass',
  },
  {
    section: '5.4',
    what: 'mx without records is not the implicit MX',
    zone: { 'example.com': { TXT: ['v=spf1 mx -all'], A: [HERE] } },
    result: 'fail',
  },
  {
    section: '4.6.4',
    what: 'mx with eleven hosts',
    zone: {
      'example.com': {
        TXT: ['v=spf1 mx -all'],
        MX: Array.from({ length: 11 }, (_, index) => `${index} m${index}.example.com`),
      },
      ...Object.fromEntries(
        Array.from({ length: 11 }, (_, index) => [`m${index}.example.com`, { A: ['203.0.113.9'] }]),
      ),
    },
    result: 'permerror',
  },
  {
    section: '5.4',
    what: 'a null MX',
    zone: { 'example.com': { TXT: ['v=spf1 mx -all'], MX: ['0 .'] } },
    result: 'fail',
  },
  // ptr, exists
  {
    section: '5.5',
    what: 'ptr below the domain',
    zone: {
      'example.com': { TXT: ['v=spf1 ptr -all'] },
      [HERE]: { PTR: ['m.example.com'] },
      'm.example.com': { A: [HERE] },
    },
    result: 'pass',
  },
  {
    section: '5.5',
    what: 'ptr whose name leads elsewhere',
    zone: {
      'example.com': { TXT: ['v=spf1 ptr -all'] },
      [HERE]: { PTR: ['m.example.com'] },
      'm.example.com': { A: ['203.0.113.1'] },
    },
    result: 'fail',
  },
  {
    section: '5.5',
    what: 'ptr of a name that merely ends alike',
    zone: {
      'example.com': { TXT: ['v=spf1 ptr -all'] },
      [HERE]: { PTR: ['m.badexample.com'] },
      'm.badexample.com': { A: [HERE] },
    },
    result: 'fail',
  },
  {
    section: '5.5',
    what: 'ptr whose lookup fails does not match',
    zone: { 'example.com': { TXT: ['v=spf1 ptr ?all'] }, [HERE]: { fails: 'ESERVFAIL' } },
    result: 'neutral',
  },
  {
    section: '5.5',
    what: 'ptr looks at ten names only',
    zone: {
      'example.com': { TXT: ['v=spf1 ptr -all'] },
      [HERE]: { PTR: [...Array.from({ length: 10 }, (_, index) => `x${index}.example.net`), 'm.example.com'] },
      'm.example.com': { A: [HERE] },
    },
    result: 'fail',
  },
  {
    section: '5.7',
    what: 'exists',
    zone: {
      'example.com': { TXT: ['v=spf1 exists:%{ir}.ok.example.com -all'] },
      '1.2.0.192.ok.example.com': { A: ['127.0.0.2'] },
    },
    result: 'pass',
  },
  {
    section: '5.7',
    what: 'exists asks for A, even for an IPv6 client',
    zone: { 'example.com': { TXT: ['v=spf1 exists:ok.example.com -all'] }, 'ok.example.com': { A: ['127.0.0.2'] } },
    ip: HERE_V6,
    result: 'pass',
  },
  {
    section: '5.7',
    what: 'exists of an address record of the other kind',
    zone: { 'example.com': { TXT: ['v=spf1 exists:ok.example.com -all'] }, 'ok.example.com': { AAAA: [HERE_V6] } },
    result: 'fail',
  },
  { section: '5.7', what: 'exists without a name', record: 'v=spf1 exists -all', result: 'permerror' },
  { section: '5.7', what: 'exists with a prefix', record: 'v=spf1 exists:ok.example.com/24 -all', result: 'permerror' },
  // include
  {
    section: '5.2',
    what: 'include that passes',
    zone: { 'example.com': { TXT: ['v=spf1 include:example.net -all'] }, ...pass('example.net') },
    result: 'pass',
  },
  {
    section: '5.2',
    what: 'include that passes under a minus',
    zone: { 'example.com': { TXT: ['v=spf1 -include:example.net +all'] }, ...pass('example.net') },
    result: 'fail',
  },
  {
    section: '5.2',
    what: 'include that fails does not match',
    zone: { 'example.com': { TXT: ['v=spf1 include:example.net ~all'] }, 'example.net': { TXT: ['v=spf1 -all'] } },
    result: 'softfail',
  },
  {
    section: '5.2',
    what: 'include that is neutral does not match',
    zone: { 'example.com': { TXT: ['v=spf1 include:example.net -all'] }, 'example.net': { TXT: ['v=spf1 ?all'] } },
    result: 'fail',
  },
  {
    section: '5.2',
    what: 'include of a domain without a record',
    zone: { 'example.com': { TXT: ['v=spf1 include:example.net -all'] }, 'example.net': { A: [HERE] } },
    result: 'permerror',
  },
  {
    section: '5.2',
    what: 'include whose name server fails',
    zone: { 'example.com': { TXT: ['v=spf1 include:example.net -all'] }, 'example.net': { fails: 'ETIMEOUT' } },
    result: 'temperror',
  },
  {
    section: '5.2',
    what: 'include of a faulty record',
    zone: {
      'example.com': { TXT: ['v=spf1 include:example.net -all'] },
      'example.net': { TXT: ['v=spf1 ipv4:1.2.3.4'] },
    },
    result: 'permerror',
  },
  { section: '5.2', what: 'include without a name', record: 'v=spf1 include -all', result: 'permerror' },
  { section: '4.6.4', what: 'include of itself', record: 'v=spf1 include:example.com -all', result: 'permerror' },
  // redirect
  {
    section: '6.1',
    what: 'redirect',
    zone: { 'example.com': { TXT: ['v=spf1 redirect=example.net'] }, ...pass('example.net') },
    result: 'pass',
  },
  {
    section: '6.1',
    what: 'redirect to a record that fails',
    zone: { 'example.com': { TXT: ['v=spf1 redirect=example.net'] }, 'example.net': { TXT: ['v=spf1 -all'] } },
    result: 'fail',
  },
  {
    section: '6.1',
    what: 'redirect is not looked at beside all',
    zone: { 'example.com': { TXT: ['v=spf1 redirect=example.net ?all'] }, ...pass('example.net') },
    result: 'neutral',
  },
  {
    section: '6.1',
    what: 'redirect to a domain without a record',
    zone: { 'example.com': { TXT: ['v=spf1 redirect=example.net'] }, 'example.net': { A: [HERE] } },
    result: 'permerror',
  },
  {
    section: '6.1',
    what: 'redirect is last wherever it stands',
    zone: {
      'example.com': { TXT: [`v=spf1 redirect=example.net ip4:${HERE}`] },
      'example.net': { TXT: ['v=spf1 -all'] },
    },
    result: 'pass',
  },
  // Limits
  {
    section: '4.6.4',
    what: 'ten lookups',
    zone: { 'example.com': { TXT: [`v=spf1 ${includeAll(10)} ip4:${HERE} -all`] }, ...includes(10) },
    result: 'pass',
  },
  {
    section: '4.6.4',
    what: 'eleven lookups',
    zone: { 'example.com': { TXT: [`v=spf1 ${includeAll(11)} ip4:${HERE} -all`] }, ...includes(11) },
    result: 'permerror',
  },
  {
    section: '4.6.4',
    what: 'lookups after the match are not made',
    zone: { 'example.com': { TXT: [`v=spf1 ip4:${HERE} ${includeAll(11)} -all`] }, ...includes(11) },
    result: 'pass',
  },
  {
    section: '4.6.4',
    what: 'lookups within includes count',
    zone: {
      'example.com': { TXT: [`v=spf1 include:deep.example.com ip4:${HERE} -all`] },
      'deep.example.com': { TXT: [`v=spf1 ${includeAll(10)}`] },
      ...includes(10),
    },
    result: 'permerror',
  },
  {
    section: '4.6.4',
    what: 'two void lookups',
    record: `v=spf1 a:v1.example.net a:v2.example.net ip4:${HERE} -all`,
    result: 'pass',
  },
  {
    section: '4.6.4',
    what: 'three void lookups',
    record: `v=spf1 a:v1.example.net a:v2.example.net a:v3.example.net ip4:${HERE} -all`,
    result: 'permerror',
  },
  {
    section: '4.6.4',
    what: 'void: names that exist without an address count, too',
    zone: {
      'example.com': { TXT: [`v=spf1 a:v1.example.net a:v2.example.net exists:v3.example.net ip4:${HERE} -all`] },
      'v1.example.net': { TXT: ['x'] },
      'v2.example.net': { TXT: ['x'] },
      'v3.example.net': { TXT: ['x'] },
    },
    result: 'permerror',
  },
  // Macros
  {
    section: '7.3',
    what: '%{s}',
    zone: {
      'example.com': { TXT: ['v=spf1 exists:%{s}.x.example.com -all'] },
      'strong-bad@example.com.x.example.com': { A: ['127.0.0.2'] },
    },
    from: 'strong-bad@example.com',
    result: 'pass',
  },
  {
    section: '7.3',
    what: '%{l} split at the hyphen and turned round',
    zone: {
      'example.com': { TXT: ['v=spf1 exists:%{lr-}.lp.example.com -all'] },
      'bad.strong.lp.example.com': { A: ['127.0.0.2'] },
    },
    from: 'strong-bad@example.com',
    result: 'pass',
  },
  {
    section: '7.3',
    what: '%{l1r-}',
    zone: {
      'example.com': { TXT: ['v=spf1 exists:%{l1r-}.lp.example.com -all'] },
      'strong.lp.example.com': { A: ['127.0.0.2'] },
    },
    from: 'strong-bad@example.com',
    result: 'pass',
  },
  {
    section: '7.3',
    what: '%{d2} of a deeper domain',
    zone: {
      'a.b.example.com': { TXT: ['v=spf1 exists:%{d2}.x.test -all'] },
      'example.com.x.test': { A: ['127.0.0.2'] },
    },
    from: 'x@a.b.example.com',
    result: 'pass',
  },
  {
    section: '7.3',
    what: '%{dr}',
    zone: { 'example.com': { TXT: ['v=spf1 exists:%{dr}.x.test -all'] }, 'com.example.x.test': { A: ['127.0.0.2'] } },
    result: 'pass',
  },
  {
    section: '7.3',
    what: '%{o} stays the sender’s domain in an include',
    zone: {
      'example.com': { TXT: ['v=spf1 include:p.test -all'] },
      'p.test': { TXT: ['v=spf1 exists:%{o}.o.test -all'] },
      'example.com.o.test': { A: ['127.0.0.2'] },
    },
    result: 'pass',
  },
  {
    section: '7.3',
    what: '%{d} is the included domain',
    zone: {
      'example.com': { TXT: ['v=spf1 include:p.test -all'] },
      'p.test': { TXT: ['v=spf1 exists:%{d}.d.test -all'] },
      'p.test.d.test': { A: ['127.0.0.2'] },
    },
    result: 'pass',
  },
  {
    section: '7.3',
    what: '%{i} of an IPv6 client, by nibbles',
    zone: {
      'example.com': { TXT: ['v=spf1 exists:%{i}.x.test -all'] },
      '2.0.0.1.0.d.b.8.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1.x.test': { A: ['127.0.0.2'] },
    },
    ip: HERE_V6,
    result: 'pass',
  },
  {
    section: '7.3',
    what: '%{v}',
    zone: { 'example.com': { TXT: ['v=spf1 exists:%{v}.x.test -all'] }, 'in-addr.x.test': { A: ['127.0.0.2'] } },
    result: 'pass',
  },
  {
    section: '7.3',
    what: '%{h}',
    zone: {
      'example.com': { TXT: ['v=spf1 exists:%{h}.x.test -all'] },
      'mail.example.com.x.test': { A: ['127.0.0.2'] },
    },
    result: 'pass',
  },
  {
    section: '7.3',
    what: '%{p}, the validated name',
    zone: {
      'example.com': { TXT: ['v=spf1 exists:%{p}.x.test -all'] },
      [HERE]: { PTR: ['m.example.com'] },
      'm.example.com': { A: [HERE] },
      'm.example.com.x.test': { A: ['127.0.0.2'] },
    },
    result: 'pass',
  },
  {
    section: '7.3',
    what: '%{p} of several names is one within the domain',
    zone: {
      'example.com': { TXT: ['v=spf1 exists:%{p}.x.test -all'] },
      [HERE]: { PTR: ['other.test', 'm.example.com'] },
      'other.test': { A: [HERE] },
      'm.example.com': { A: [HERE] },
      'm.example.com.x.test': { A: ['127.0.0.2'] },
    },
    result: 'pass',
  },
  {
    section: '7.3',
    what: '%{p} without a name is “unknown”',
    zone: { 'example.com': { TXT: ['v=spf1 exists:%{p}.x.test -all'] }, 'unknown.x.test': { A: ['127.0.0.2'] } },
    result: 'pass',
  },
  {
    section: '7.1',
    what: '%%, %_ and %-',
    zone: { 'example.com': { TXT: ['v=spf1 exists:a%%b%-c.x.test -all'] }, 'a%b%20c.x.test': { A: ['127.0.0.2'] } },
    result: 'pass',
  },
  { section: '7.1', what: 'a lone percent sign', record: 'v=spf1 exists:a%b.x.test -all', result: 'permerror' },
  { section: '7.1', what: 'a macro that is not closed', record: 'v=spf1 exists:%{i.x.test -all', result: 'permerror' },
  { section: '7.1', what: 'an unknown macro', record: 'v=spf1 exists:%{q}.x.test -all', result: 'permerror' },
  {
    section: '7.2',
    what: 'c, r and t outside an explanation',
    record: 'v=spf1 exists:%{t}.x.test -all',
    result: 'permerror',
  },
  { section: '7.3', what: 'keeping zero labels', record: 'v=spf1 exists:%{d0}.x.test -all', result: 'permerror' },
  {
    section: '7.3',
    what: 'a name of more than 253 characters loses labels from the left',
    zone: {
      'example.com': {
        TXT: [`v=spf1 exists:%{l}.${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(50)}.test -all`],
      },
      [`${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(50)}.test`]: { A: ['127.0.0.2'] },
    },
    from: `${'z'.repeat(40)}@example.com`,
    result: 'pass',
  },
  // Explanations
  {
    section: '6.2',
    what: 'an explanation',
    zone: {
      'example.com': { TXT: ['v=spf1 exp=why.example.com -all'] },
      'why.example.com': { TXT: ['%{i} is not ours, %{l}'] },
    },
    from: 'joe@example.com',
    result: 'fail',
    explanation: `${HERE} is not ours, joe`,
  },
  {
    section: '6.2',
    what: 'no explanation for anything but a fail',
    zone: { 'example.com': { TXT: ['v=spf1 exp=why.example.com ~all'] }, 'why.example.com': { TXT: ['no'] } },
    result: 'softfail',
  },
  {
    section: '6.2',
    what: 'an explanation that cannot be looked up changes nothing',
    zone: { 'example.com': { TXT: ['v=spf1 exp=why.example.com -all'] }, 'why.example.com': { fails: 'ESERVFAIL' } },
    result: 'fail',
  },
  {
    section: '6.2',
    what: 'an explanation with a faulty macro changes nothing',
    zone: { 'example.com': { TXT: ['v=spf1 exp=why.example.com -all'] }, 'why.example.com': { TXT: ['%{q}'] } },
    result: 'fail',
  },
  {
    section: '6.2',
    what: 'an explanation in two records changes nothing',
    zone: { 'example.com': { TXT: ['v=spf1 exp=why.example.com -all'] }, 'why.example.com': { TXT: ['one', 'two'] } },
    result: 'fail',
  },
  { section: '6.2', what: 'exp without a name', record: 'v=spf1 exp= -all', result: 'permerror' },
  {
    section: '6.2',
    what: 'exp with a lone percent sign',
    record: 'v=spf1 exp=%.example.com -all',
    result: 'permerror',
  },
  {
    section: '6.2',
    what: 'the explanation of a redirect is the target’s',
    zone: {
      'example.com': { TXT: ['v=spf1 redirect=example.net exp=a.test'] },
      'example.net': { TXT: ['v=spf1 -all exp=b.test'] },
      'a.test': { TXT: ['from a'] },
      'b.test': { TXT: ['from b'] },
    },
    result: 'fail',
    explanation: 'from b',
  },
  // Identities
  {
    section: '2.4',
    what: 'the null sender is checked by HELO',
    from: '',
    zone: { 'mail.example.com': { TXT: [`v=spf1 ip4:${HERE} -all`] } },
    result: 'pass',
  },
  {
    section: '2.4',
    what: 'the null sender with a HELO without a record',
    from: '',
    zone: { 'mail.example.com': { A: [HERE] } },
    result: 'none',
  },
  { section: '2.3', what: 'HELO is an address literal', from: '', helo: '[192.0.2.1]', zone: {}, result: 'none' },
  { section: '2.3', what: 'HELO is an address', from: '', helo: HERE, zone: {}, result: 'none' },
  { section: '2.3', what: 'HELO is a name with one label', from: '', helo: 'localhost', zone: {}, result: 'none' },
  {
    section: '2.3',
    what: 'HELO holds characters that no name has',
    from: '',
    helo: 'a b_c!',
    zone: {},
    result: 'none',
  },
  {
    section: '4.3',
    what: 'a sender without a local part is the postmaster',
    from: '@example.com',
    zone: { 'example.com': { TXT: ['v=spf1 exists:%{l}.x.test -all'] }, 'postmaster.x.test': { A: ['127.0.0.2'] } },
    result: 'pass',
  },
  {
    section: '4.3',
    what: 'a quoted local part with an @',
    from: '"a@b"@example.com',
    record: `v=spf1 ip4:${HERE} -all`,
    result: 'pass',
  },
  // Internationalised domains (RFC 8616)
  {
    section: '8616 4',
    what: 'a domain in its readable form',
    from: 'a@bücher.example',
    zone: { 'xn--bcher-kva.example': { TXT: [`v=spf1 ip4:${HERE} -all`] } },
    result: 'pass',
  },
];

let right = 0;

describe('SPF', () => {
  after(() => console.log(`SPF (RFC 7208): ${right} of ${CASES.length} declared cases right`));
  for (const {
    section,
    what,
    record,
    zone,
    ip = HERE,
    from = 'user@example.com',
    helo = 'mail.example.com',
    result,
    explanation,
  } of CASES) {
    it(`§${section} ${what}: ${result}`, async () => {
      const dns = createZoneDns(zone ?? { 'example.com': { TXT: [record as string] } });
      const { verdict } = await checkSpf({ ip, helo, mailFrom: from, mta: 'mx.receiver.test' }, boundedResolver(dns));
      assert.equal(verdict.result, result, verdict.reason);
      assert.equal(verdict.explanation, explanation ?? null);
      assert.match(verdict.rfc, /^RFC 7208 §/);
      assert.ok(dns.questions.length <= 60, `${dns.questions.length} questions`);
      right++;
    });
  }

  it('says which limit was passed', async () => {
    const dns = createZoneDns({ 'example.com': { TXT: [`v=spf1 ${includeAll(11)} -all`] }, ...includes(11) });
    const { verdict } = await checkSpf(
      { ip: HERE, helo: 'x', mailFrom: 'a@example.com', mta: 'mx' },
      boundedResolver(dns),
    );
    assert.equal(verdict.rfc, 'RFC 7208 §4.6.4');
    assert.match(verdict.reason, /^The SPF record of example\.com cannot be used: /);
    assert.equal(verdict.lookups.limit, 10);
  });
});
