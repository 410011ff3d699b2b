// The gate: a policy, what the checks found, and the verdict; pictures and their baselines. Pure.
export { judgeGate, type CheckRun, type Judged, type LimitOutcome, type Measures } from './judge-policy.ts';
export { picturesBeside } from './pictures-beside.ts';
export { policyAsWritten } from './policy-as-written.ts';
export {
  DEFAULT_POLICY,
  FAIL_ON,
  GATE_CHECKS,
  MISSING,
  readPolicy,
  RULE_SEVERITIES,
  type GateCheck,
  type Policy,
} from './policy.ts';
export { percent, screenshotFindings, type Comparison } from './screenshot-findings.ts';
export { hasUnanswered, withoutNetwork } from './without-network.ts';
