// The message that the mailer takes, and the report that it gives about the delivery.

/** A server that the caller names: Galley's own receivers. It may be at a private address. */
interface DirectRoute {
  host: string;
  port: number;
  /** Default: `opportunistic`. */
  tls?: 'none' | 'opportunistic';
}

/** A message for one recipient. */
export interface Parcel {
  /** The envelope's sender; empty for the null sender (RFC 5321 §4.5.5). */
  from: string;
  to: string;
  /** The whole message, lines ended by CRLF. */
  raw: Buffer;
  /** Header fields that go before it, whole lines: to put them into a long message would copy that. */
  above?: Buffer;
  /** The message (not what goes before it) has lines that end with CRLF, and none that begins with a dot. */
  isWire?: boolean;
  /** The server to deliver to, instead of those of the MX records or the relay. */
  route?: DirectRoute;
  /** Sends nothing over a connection that is not encrypted. */
  isTlsRequired?: boolean;
  /** The same, and only to a server whose certificate is trusted and names it. */
  isCertificateRequired?: boolean;
  /** The report holds what was said on each connection. */
  isTold?: boolean;
  signal?: AbortSignal;
  /** Called right before the bytes leave with which the server may take the message: what is written then survives. */
  beforeEnd?: () => void;
}

export interface SmtpReply {
  /** What was said before; empty for the greeting, `.` for the end of the message. Passwords are left out. */
  command: string;
  code: number;
  /** `5.1.1` (RFC 3463), if the server gives it. */
  enhancedCode: string | null;
  /** Without codes; several lines are joined by line breaks. */
  text: string;
}

/**
 * `delivered`: the server took responsibility. `deferred`: it said 4xx, later is fine. `bounced`: it said 5xx, or the
 * domain takes no mail; never again. `unreachable`: nobody gave an answer, so it may work later.
 */
export type DeliveryOutcome = 'delivered' | 'deferred' | 'bounced' | 'unreachable';

/** What is said of a message that no server was asked about, or none said itself (RFC 3463). */
export interface OwnVerdict {
  code: number;
  enhancedCode: string;
}

/** A command and its answer, with when they were said on `performance.now()`'s clock, in milliseconds. */
export interface Spoken {
  /** Empty for the greeting, `.` for the end of the message. Passwords are left out. */
  command: string;
  saidMs: number;
  /** Undefined: none came. */
  reply?: SmtpReply;
  heardMs?: number;
}

/** What was said on one connection for one message. */
export interface Talk {
  host: string;
  address: string | null;
  /** Of ours. */
  localAddress?: string;
  /** The connection was opened earlier, and carried other messages: so was what its opening says. */
  isReused: boolean;
  /** Greeting, EHLO, STARTTLS and AUTH. */
  opening: Spoken[];
  /** Of this message alone. */
  spoken: Spoken[];
  /** How long it took until the connection stood; undefined where there was none. */
  connectMs?: number;
  tls: TlsFacts | null;
  /** How it ended, in one sentence without its full stop. */
  end: string;
}

export interface TlsFacts {
  /** `TLSv1.3` */
  protocol: string;
  cipher: string;
  /** The certificate is trusted and names the host. */
  isVerified: boolean;
}

export interface Delivery {
  outcome: DeliveryOutcome;
  /** One sentence, the server's words included. */
  reason: string;
  /** Why it bounced, where that was decided here. */
  verdict?: OwnVerdict;
  /** The server that decided, or was tried last; null when there was none to try. */
  host: string | null;
  address: string | null;
  /** Of ours, where there was a connection. */
  localAddress?: string;
  /** Every reply of that server, in order. */
  replies: SmtpReply[];
  tls: TlsFacts | null;
  /** Policy of the recipient's domain (RFC 8461). */
  mtaSts: 'none' | 'testing' | 'enforce';
  /** Servers that could not be used, and why. */
  passedOver: { host: string; address: string | null; reason: string }[];
  /**
   * The connection broke after the whole message and before the answer: it may have arrived. Sending it again may make
   * two.
   */
  isUncertain: boolean;
  elapsedMs: number;
  /** One for each connection that was tried, in order, where the parcel asks for them. */
  talks?: Talk[];
  /** Who runs the servers, where that is known: a row of data/mailbox-providers. */
  provider?: string;
}
