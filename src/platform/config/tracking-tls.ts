// The settings of https on tracking hosts, and of the authority that issues their certificates.
import type { Setting } from './settings.ts';
import { portOrOff } from './submission.ts';

export interface TrackingTlsConfig {
  /** Undefined: https is left to what stands in front of the service. */
  port: number | undefined;
  /** A folder with the operator's own certificates. */
  certificatesDir: string | undefined;
  acme: { directoryUrl: string; isAgreed: boolean; contact: string | undefined };
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

function directoryFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.includes(url.hostname))
    ? undefined
    : 'give an https URL; http only on this machine itself.';
}

export const TRACKING_TLS_SETTINGS: readonly Setting[] = [
  {
    name: 'GALLEY_TRACKING_TLS_PORT',
    default: 'off',
    about:
      'Port at which tracking hosts are served over https, each with its own certificate. Readers come at port 443 ' +
      'of the host: forward it to this one. 0 takes a free one; `off`: https is left to what stands in front of the ' +
      'service.',
    check: portOrOff,
  },
  {
    name: 'GALLEY_TRACKING_CERTIFICATES',
    default: '',
    about:
      'Path of a folder with your own certificates of tracking hosts: files `*.pem`, each with a key, its certificate ' +
      'and the chain. A host that one of them names uses it; changed files are used within ten minutes.',
  },
  {
    name: 'GALLEY_ACME_DIRECTORY',
    default: 'https://acme-v02.api.letsencrypt.org/directory',
    about:
      'Directory URL of the authority from which certificates of tracking hosts are asked (ACME, RFC 8555, `http-01`): ' +
      'it reads `http://<tracking host>/.well-known/acme-challenge/…` at port 80, so forward that port to this service.',
    check: directoryFault,
  },
  {
    name: 'GALLEY_ACME_TERMS',
    default: 'off',
    about:
      '`agreed`: you have read the terms of that authority and agree to them. `off`: no certificate is asked from it.',
    check: (text) => (['agreed', 'off'].includes(text) ? undefined : 'give one of agreed, off.'),
  },
  {
    name: 'GALLEY_ACME_CONTACT',
    default: '',
    about: 'Email address that the authority may write to. Unset: none is given.',
    check: (text) => (/^[^\s@,]+@[^\s@,]+$/.test(text) ? undefined : 'give one email address.'),
  },
];

export function readTrackingTls(read: (name: string) => string | undefined): TrackingTlsConfig {
  const port = read('GALLEY_TRACKING_TLS_PORT');
  return {
    port: port === 'off' ? undefined : Number(port),
    certificatesDir: read('GALLEY_TRACKING_CERTIFICATES'),
    acme: {
      directoryUrl: read('GALLEY_ACME_DIRECTORY') as string,
      isAgreed: read('GALLEY_ACME_TERMS') === 'agreed',
      contact: read('GALLEY_ACME_CONTACT'),
    },
  };
}
