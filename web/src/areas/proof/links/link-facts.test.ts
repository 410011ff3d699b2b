import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LinkResult } from '../../../shared/report/report-api.ts';
import { linkFacts, milliseconds } from './link-facts.ts';

const HOP = {
  url: 'https://a.example/',
  method: 'GET',
  status_code: 301,
  via: 'link',
  dns_ms: 1,
  connect_ms: 2,
  tls_ms: null,
  first_byte_ms: 4,
  total_ms: 7,
  reused_connection: false,
  remote_address: '192.0.2.1',
};
const finding = (rule: string, details: Record<string, unknown>[] = []) => ({
  id: `links/${rule}`,
  rule,
  description: rule,
  details,
});
const link = (changes: Partial<LinkResult>): LinkResult => ({
  url: 'https://a.example/',
  status: 'pass',
  passes: [],
  failures: [],
  informational: [],
  ...changes,
});

describe('the facts of a link', () => {
  it('come from wherever its findings hold them', () => {
    const facts = linkFacts(
      link({
        status_code: 200,
        line: 3,
        column: 2,
        absolute_index: 40,
        informational: [finding('redirects', [HOP, { ...HOP, status_code: 200 }])],
        passes: [
          finding('reachable', [{ total_ms: 20 }]),
          finding('content', [{ content_type: 'text/html', content_length: 900 }]),
        ],
      }),
      5,
    );
    assert.deepEqual(
      [facts.verdict, facts.hops.length, facts.totalMs, facts.contentType, facts.contentLength, facts.place],
      ['redirect', 2, 20, 'text/html', 900, { line: 3, column: 2, offset: 40 }],
    );
    assert.deepEqual(
      facts.problems.map(({ severity }) => severity),
      ['info'],
    );
  });

  it('tell broken, risky, working and unasked links apart', () => {
    assert.deepEqual(
      [link({ status: 'Error' }), link({ status: 'warning' }), link({ status_code: 200 }), link({})].map(
        (one, number) => linkFacts(one, number).verdict,
      ),
      ['broken', 'warning', 'ok', 'other'],
    );
  });

  it('say times in the unit that is read best', () => {
    assert.deepEqual([0.4, 320, 1432].map(milliseconds), ['0 ms', '320 ms', '1.4 s']);
  });
});
