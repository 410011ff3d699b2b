export { checkHygiene, checkPartCharsets } from './check-hygiene.ts';
export { inboxClients, type InboxClient } from './inbox-clients.ts';
export { findMergeTags, mergeTagIn, type FoundTag } from './merge-tags.ts';
export type { HygieneInput } from './message-under-check.ts';
export { inboxRows, summaryText, type InboxRow, type ShownText } from './preheader.ts';
export { GMAIL_CLIP_BYTES, GMAIL_STYLE_BYTES } from './size-checks.ts';
