// Content checking: the four inspections of one email, started, shown and deleted together, for previews and the gate.
// It has no endpoints and no tables of its own: who starts the checks keeps the references.
export { CHECKS, inspectionsOf, removeChecks, startChecks, type CheckedEmail, type CheckName, type CheckRef, type ContentChecks } from './checks.ts';
export { checksView } from './view.ts';
