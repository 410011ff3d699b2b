// Content checking: the inspections of one email, started, shown and deleted together, for previews and the gate.
// It has no endpoints and no tables of its own: who starts the checks keeps the references.
export { inspectionsOf, missingChecks, removeChecks, startChecks } from './checks.ts';
export { checkedKinds, checkFields, type ContentChecks } from './contract.ts';
export { checksView } from './view.ts';
