// Who stands behind a message: authentication of what comes in, DKIM for what goes out. Pure; DNS is handed in.
export { authenticate, findSigners } from './authenticate.ts';
export { discoverPolicy } from './dmarc.ts';
export { findPublishedLogo, type PublishedLogo } from './published-logo.ts';
export { checkReverseDns } from './reverse-dns.ts';
export { checkKnowing, inRounds, type CheckSignatures, type KnownDns, type SignatureQuestion } from './signatures.ts';
export { verifiers as loadVerifiers } from './library.ts';
export {
  dkimBodyHash,
  dkimFields,
  dkimRecord,
  generateDkimKey,
  relaxedBodyHash,
  signDkim,
  signHashed,
  type DkimKey,
  type DkimKeyType,
} from './sign-dkim.ts';
export type { Authentication, DkimResult, DmarcPolicy, DmarcResult } from './types.ts';
