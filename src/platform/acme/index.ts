// Certificates from an authority that speaks ACME (RFC 8555).
export { makeAccountKey } from './account-key.ts';
export { AcmeError } from './conversation.ts';
export { issueCertificate } from './issue-certificate.ts';
