export type { Finding, Place, Severity } from './types.ts';
