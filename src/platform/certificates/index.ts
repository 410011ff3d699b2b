// Certificates of listeners: the operator's, or made here.
export { readCertificateFolder, type FileCertificate } from './certificate-folder.ts';
export { requestCertificate } from './certificate-request.ts';
export { endsSoonAt } from './ends-soon.ts';
export { makeCertificate, signCertificate, type CertificateOptions, type SelfMade } from './make-certificate.ts';
export { certificateDates, openCertificate } from './open-certificate.ts';
