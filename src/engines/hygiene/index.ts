export { checkHygiene, checkPartCharsets } from './check-hygiene.ts';
export { inboxClients } from './inbox-clients.ts';
export { findMergeTags, mergeTagIn } from './merge-tags.ts';
export type { HygieneInput } from './message-under-check.ts';
export { inboxRows, summaryText, type InboxRow } from './preheader.ts';
