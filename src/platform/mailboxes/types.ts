// A mailbox that somebody owns at some provider, reached by IMAP.

export interface MailboxAccount {
  host: string;
  /** Default 993. */
  port?: number;
  /** `tls` from the start (default), `starttls`, or `none`, which is for loopback only. */
  security?: 'tls' | 'starttls' | 'none';
  user: string;
  /** A checked address to connect to, instead of looking the host up. TLS still verifies the host name. */
  address?: string;
  credentials: { password: string } | { accessToken: string };
  /** False takes any certificate. Default true. */
  verifyCertificate?: boolean;
}

export interface MailboxLimits {
  connectTimeoutMs: number;
  /** How long one call may take in all. */
  timeoutMs: number;
  foldersMax: number;
  /** How many messages are read per folder. */
  messagesMax: number;
}

/** `inbox`, `spam`, or `category`: another folder, or a tab of the inbox. */
type CopyPlacement = 'inbox' | 'spam' | 'category';

/** One copy of a message. A message in two folders has two. */
export interface MailboxCopy {
  placement: CopyPlacement;
  /** `promotions`, or the folder's name; null in inbox and spam. */
  category: string | null;
  /** Path of the folder as the server writes it. */
  folder: string;
  /** Labels of Gmail, else keywords; system flags left out. */
  tags: string[];
  uid: number;
  /** When the server took it, ISO 8601; null when it doesn't say. */
  receivedAt: string | null;
  messageId: string | null;
  /** The header fields in their order, unfolded. */
  headers: { name: string; value: string }[];
}

/**
 * `login`: the server refused the user. `refused`: nobody listens. `lost`: the connection broke. `folder`: it cannot be
 * opened. `protocol`: not IMAP.
 */
export type MailboxFailureReason =
  | 'login'
  | 'refused'
  | 'dns'
  | 'tls'
  | 'timeout'
  | 'lost'
  | 'folder'
  | 'protocol'
  | 'aborted';

export interface MailboxFailure {
  ok: false;
  reason: MailboxFailureReason;
  /** One sentence for the caller; never holds credentials. */
  message: string;
  /** False when trying again later is of no use. */
  isTemporary: boolean;
}

export type MailboxOutcome<Value> = ({ ok: true } & Value) | MailboxFailure;

/** Where to look for a message: a header field with exactly this value. */
interface MessageToken {
  /** `X-Galley-Seed`. */
  header: string;
  value: string;
}

export interface FindOptions {
  signal?: AbortSignal;
  /** Messages from before this day (ISO 8601) are not read. This makes large mailboxes fast. */
  since?: string;
}

export interface MailboxFolder {
  path: string;
  placement: CopyPlacement;
  category: string | null;
}

/** Where a visit to a folder ended: its UIDs count up, as long as UIDVALIDITY stays (RFC 3501 §2.3.1.1). */
export interface FolderPlace {
  uidValidity: string;
  uid: number;
}

interface NewMessage extends FolderPlace {
  /** Undefined: it is larger than may be, or gone by now. */
  raw: Buffer | undefined;
  /** 0: it is gone. */
  sizeBytes: number;
}

export interface NewMessages {
  folder: string;
  /** Undefined, or of another UIDVALIDITY: the folder is read from its first message. */
  after: FolderPlace | undefined;
  messagesMax: number;
  sizeBytesMax: number;
  /** No message is begun later than that. */
  stopAfterMs: number;
  /** Takes one message after the other, oldest first. False: the visit ends before it. */
  take(message: NewMessage): Promise<boolean>;
}

export interface NewMessagesFound {
  uidValidity: string;
  /** How many of the new messages were not taken. */
  left: number;
}

export interface Mailbox {
  /**
   * Every copy in every folder, trash, drafts and sent excepted. Never throws for what the world does. A label of Gmail
   * is a view of the same copy, and a tag here. A copy that stands nowhere but in "all mail" is in the category
   * `archive`.
   */
  find(token: MessageToken, options?: FindOptions): Promise<MailboxOutcome<{ copies: MailboxCopy[] }>>;
  /**
   * Many values of one header field in one visit; every value is a key of the answer, with no copies when there are
   * none.
   */
  findAll(
    header: string,
    values: readonly string[],
    options?: FindOptions,
  ): Promise<MailboxOutcome<{ copies: Map<string, MailboxCopy[]> }>>;
  /** Deletes every copy for good. */
  remove(token: MessageToken, options?: FindOptions): Promise<MailboxOutcome<{ removed: number }>>;
  /** Hands over what is new in one folder, and leaves it unread and where it is. Throws what `take` throws. */
  readNew(wanted: NewMessages, signal?: AbortSignal): Promise<MailboxOutcome<NewMessagesFound>>;
  /** Logs in and lists the folders as they are understood: for setting up. */
  probe(signal?: AbortSignal): Promise<MailboxOutcome<{ folders: MailboxFolder[]; hasTabs: boolean }>>;
}
