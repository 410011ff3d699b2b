// What a kind of inspection declares of itself for all lists that name kinds: content checking, the gate with its
// policy, the command line, the documents, the dashboard.
import type { TSchema } from 'typebox';
import type { Finding } from '../../../engines/findings/index.ts';
import type { GateCheck, Measures } from '../../../engines/gate/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import type { StoredSource } from '../_message/index.ts';

/** One try of an inspection. */
export interface Run {
  id: string;
  version: number;
  signal: AbortSignal;
}

/** An email that a gate looks at. */
export interface GatedEmail {
  source: StoredSource;
  /** A file's own pictures, which its relative addresses mean; links mean nothing by them. */
  beside?: { baseUrl: string; has(address: string): boolean };
  /** Of HTML, which carries none. */
  subject?: string;
}

/** An image of the message. */
export interface ImageFile {
  /** The address as the message writes it. */
  url: string;
  body: Buffer;
  format: string;
}

export type GateTurn = Run & {
  /** Where the message is shown later with what it showed now. */
  keepImages?(files: readonly ImageFile[]): Promise<void>;
};

/** What a check of a gate came to. */
export interface Checked {
  findings: readonly Finding[];
  /** What limits are held against. */
  measures?: Measures;
}

/** What a check of a gate may use: it judges what it is given, with a server or without, and stores nothing. */
export type CheckDoors = Pick<Outside, 'config' | 'fetch' | 'browser' | 'compute' | 'clock' | 'log'>;

interface KindOfGate extends GateCheck {
  /** In place of inspecting the email where its pictures lie. */
  run?(outside: CheckDoors, email: GatedEmail, turn: GateTurn): Promise<Checked>;
}

/** What lists of kinds say of one. */
export interface Listing {
  /** The path of its endpoints, such as `/v1/inspect/links`. */
  path: string;
  /** What pages call it. */
  label: string;
  /** What it looks at, for who chooses checks. */
  about: string;
  /** The group of its endpoints in the API's documents, and what that is about. */
  tag: { name: string; about: string };
  /** By which field a preview test asks for it; fields have an order. */
  contentChecking?: { field: string; order: number };
  gate?: KindOfGate;
  /** What its endpoints show, where it has the standard ones: the result of a run, and numbers of its summary. */
  shows?: { result: TSchema; counts: readonly string[] };
  /** Its own page of the dashboard, below a test; without one its tab shows its findings. */
  page?: string;
}
