// The gate: every check of an email as one report, judged by a policy, with screenshots held against approved ones.
// A machine of the inspections like the others; the checks are theirs. `galley check` runs the same without a server.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { gateEnded, gateFailed } from './facts.ts';
import { gates } from './inspection.ts';
import { endpoints } from './routes.ts';

export { checksFrom, clientsFrom, policyFrom, startGate, startGateOn } from './actions.ts';
export { gateBody, policyView, type GateBody } from './contract.ts';
export { gateEnded, gateFailed } from './facts.ts';
export { rulesOf } from './rules.ts';
export { runChecks, type GateDoors, type GateRun } from './run-checks.ts';
export type { PictureDoors } from './screenshots.ts';

export default defineFeature({
  name: 'gate',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [gates.job],
  tells: [gateFailed, gateEnded],
});
