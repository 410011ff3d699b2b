import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldsOf, NO_LIMITS, policyOf } from './policy-fields.ts';

const APPLIED = {
  fail_on: 'error',
  checks: {},
  rules: {},
  ignore: [],
  limits: {},
  screenshots: { difference_max: 0.001, threshold: 0.1, missing_baseline: 'warn' },
} as const;

describe('the policy of the form', () => {
  it('says nothing where nothing is filled in', () => assert.deepEqual(policyOf(NO_LIMITS), {}));

  it('is what the service takes: bytes, shares, and zero as a limit', () => {
    assert.deepEqual(
      policyOf({
        ...NO_LIMITS,
        failOn: 'warning',
        htmlKb: 102.4,
        brokenLinks: 0,
        score: 85,
        difference: 0.07,
        missingBaseline: 'fail',
      }),
      {
        fail_on: 'warning',
        limits: { html_bytes_max: 102_400, broken_links_max: 0, score_min: 85 },
        screenshots: { difference_max: 0.0007, missing_baseline: 'fail' },
      },
    );
  });

  it('is read from a policy that was applied, unless that says more than the form can', () => {
    assert.deepEqual(fieldsOf({ ...APPLIED, ignore: [] }), NO_LIMITS);
    const limits = { html_bytes_max: 102_400, image_bytes_max: 0, broken_links_max: 0, warnings_max: 3, score_min: 85 };
    assert.deepEqual(
      fieldsOf({
        ...APPLIED,
        ignore: [],
        fail_on: 'warning',
        limits,
        screenshots: { difference_max: 0.0007, threshold: 0.1, missing_baseline: 'fail' },
      }),
      {
        failOn: 'warning',
        htmlKb: 102.4,
        imageKb: 0,
        brokenLinks: 0,
        warnings: 3,
        score: 85,
        difference: 0.07,
        missingBaseline: 'fail',
      },
    );
    for (const more of [
      { rules: { 'links/*': 'off' as const } },
      { checks: { links: { on_error: 'warn' as const } } },
      { ignore: [{ rule: 'links/*', reason: 'Later.' }] },
      { limits: { message_bytes_max: 9 } },
      { limits: { score_min: { b2c: 9 } } },
      { screenshots: { ...APPLIED.screenshots, threshold: 0.2 } },
    ]) {
      assert.equal(fieldsOf({ ...APPLIED, ignore: [], ...more }), undefined, JSON.stringify(more));
    }
  });
});
