import { checkServerIdentity, type PeerCertificate, type TLSSocket } from 'node:tls';

/** What a TLS server showed. Times are ISO 8601, UTC. */
export interface Certificate {
  isTrusted: boolean;
  /** OpenSSL's or Node's code, such as `CERT_HAS_EXPIRED` or `ERR_TLS_CERT_ALTNAME_INVALID`; null when trusted. */
  problem: string | null;
  /** Whether one of the names is the host of the URL, apart from who signed them. */
  hostMatches: boolean;
  subject: string;
  issuer: string;
  validFrom: string;
  validTo: string;
  altNames: string[];
  /** SHA-256, hexadecimal pairs with colons. */
  fingerprint: string;
  protocol: string;
  cipher: string;
}

/** A kept connection shows the same certificate for every answer. */
const known = new WeakMap<TLSSocket, Certificate>();

/**
 * Reads the certificate the peer showed for `host`; must be called while the socket is connected and its session is not
 * resumed. A socket serves one host only.
 */
export function certificateOf(socket: TLSSocket, host: string): Certificate {
  const certificate = known.get(socket) ?? readCertificate(socket, host);
  known.set(socket, certificate);
  return certificate;
}

function readCertificate(socket: TLSSocket, host: string): Certificate {
  const peer: Partial<PeerCertificate> = socket.getPeerCertificate();
  return {
    isTrusted: socket.authorized,
    problem: socket.authorized ? null : String(socket.authorizationError ?? 'UNKNOWN'),
    hostMatches: peer.subject !== undefined && checkServerIdentity(host, peer as PeerCertificate) === undefined,
    subject: nameOf(peer.subject),
    issuer: nameOf(peer.issuer),
    validFrom: isoTime(peer.valid_from),
    validTo: isoTime(peer.valid_to),
    altNames: (peer.subjectaltname ?? '')
      .split(', ')
      .filter(Boolean)
      .map((name) => name.replace(/^(DNS|IP Address):/, '')),
    fingerprint: peer.fingerprint256 ?? '',
    protocol: socket.getProtocol() ?? '',
    cipher: socket.getCipher()?.name ?? '',
  };
}

function nameOf(name: PeerCertificate['subject'] | undefined): string {
  const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);
  return first(name?.CN) ?? first(name?.O) ?? '';
}

function isoTime(text: string | undefined): string {
  const time = new Date(text ?? '');
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
