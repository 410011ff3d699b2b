// Follows links with the guarded client. A broken link is a report, never an error.
export { checkLink } from './check-link.ts';
export { checkAll, type CheckAllOptions } from './check-all.ts';
export type { LinkReport } from './types.ts';
