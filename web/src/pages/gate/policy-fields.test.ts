import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_LIMITS, policyOf } from './policy-fields.ts';

describe('the policy of the form', () => {
  it('says nothing where nothing is filled in', () => assert.deepEqual(policyOf(NO_LIMITS), {}));

  it('is what the service takes: bytes, shares, and zero as a limit', () => {
    assert.deepEqual(policyOf({ ...NO_LIMITS, failOn: 'warning', htmlKb: 102.4, brokenLinks: 0, score: 85, difference: 0.07, missingBaseline: 'fail' }), {
      fail_on: 'warning',
      limits: { html_bytes_max: 102_400, broken_links_max: 0, score_min: 85 },
      screenshots: { difference_max: 0.0007, missing_baseline: 'fail' },
    });
  });
});
