// Certificates of listeners: the operator's, or made here.
export { makeCertificate, type CertificateOptions, type SelfMade } from './make-certificate.ts';
export { certificateDates, openCertificate } from './open-certificate.ts';
