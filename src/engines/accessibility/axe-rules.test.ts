import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import axe from 'axe-core';
import { AXE_REPLACES, AXE_RULES, AXE_RULES_LEFT_OUT } from './axe-rules.ts';

const known = axe
  .getRules()
  .map(({ ruleId }) => ruleId)
  .sort();

describe('the choice of axe-core’s rules', () => {
  it('decides on every rule of the installed version, once', () => {
    assert.deepEqual([...AXE_RULES, ...Object.keys(AXE_RULES_LEFT_OUT)].sort(), known);
  });
  it('leaves out what is about web pages, with a reason', () => {
    for (const id of ['region', 'landmark-one-main', 'bypass'])
      assert.ok((AXE_RULES_LEFT_OUT[id] ?? '').length > 20, id);
  });
  it('takes its measurements only from rules that are run', () => {
    for (const id of AXE_REPLACES) assert.ok(AXE_RULES.includes(id), id);
  });
});
