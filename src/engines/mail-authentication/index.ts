// Who stands behind a message: authentication of what comes in, DKIM for what goes out. Pure; DNS is handed in.
export { authenticate } from './authenticate.ts';
export { dkimRecord, generateDkimKey, signDkim, type DkimKey, type DkimKeyType } from './sign-dkim.ts';
export type { Authentication, DkimResult, DmarcPolicy, DmarcResult } from './types.ts';
