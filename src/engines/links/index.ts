// Links of messages: found, judged, compared; pure. Following them is the platform's (`platform/links`).
export { compareLinks, type ActualLink, type Difference } from './compare-links.ts';
export { readExpected } from './expected-links.ts';
export { findLinks, findTextLinks, LINKS_MAX, type FoundLink, type LinksOfMessage } from './find-links.ts';
export { judgeLink, judgeLinks } from './judge-links.ts';
export { isFollowable } from './link-class.ts';
export { hasExpiredCertificate } from './security-rules.ts';
export type { LinkAnswer, LinkResult, LinkSubject, WireFinding } from './types.ts';
export { looksLikeUnsubscribe, unsubscribeUrls } from './unsubscribe.ts';
