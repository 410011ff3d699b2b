// Links of messages: found, judged, compared; pure. Following them is the platform's (`platform/links`).
export { compareLinks, type ActualLink, type Difference } from './compare-links.ts';
export { readExpected, type ExpectedLink } from './expected-links.ts';
export { findLinks, findTextLinks, LINKS_MAX, type FoundLink, type LinkKind, type LinksOfMessage } from './find-links.ts';
export { judgeLink, judgeLinks, type JudgedLinks } from './judge-links.ts';
export { isFollowable } from './link-class.ts';
export { hasExpiredCertificate } from './security-rules.ts';
export { looksLikeUnsubscribe, unsubscribeUrls } from './unsubscribe.ts';
export type { Impact, LinkAnswer, LinkResult, LinkSubject, Verdict, WireFinding } from './types.ts';
