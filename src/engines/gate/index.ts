// The gate: a policy, what the checks found, and the verdict; pictures and their baselines. Pure.
export { judgeGate, type CheckRun, type Judged, type LimitOutcome, type Measures } from './judge-policy.ts';
export { picturesBeside } from './pictures-beside.ts';
export { DEFAULT_POLICY, policyAsWritten, readPolicy, type Policy } from './policy.ts';
export { policyJsonSchema, policyTable } from './policy-document.ts';
export type { WrittenPolicy } from './policy-schema.ts';
export { gateRules, type GateCheck, type GateLimit, type GateRules } from './rules.ts';
export { percent, screenshotFindings, type Comparison } from './screenshot-findings.ts';
export { hasUnanswered, withoutNetwork } from './without-network.ts';
