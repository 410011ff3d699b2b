// Certificates of servers in tests: as the service makes its own.
export {
  makeCertificate,
  type CertificateOptions,
  type SelfMade as TestCertificate,
} from '../../src/platform/certificates/index.ts';
