// What is said between a command and the process that makes emails from sources.

export interface MakeOrder {
  /** The whole path of the source. */
  path: string;
  /** Takes the place of variables; of a component, its props. */
  data: Record<string, unknown>;
}

export interface Made {
  html: string;
  /** The same, made from a source with marks (`engines/source/source-marks.ts`); undefined: it could not be. */
  marked?: string;
  /** Files that it was made from, whole paths. */
  files: string[];
  /** Folders in which any file may be part of it. */
  folders: string[];
  /** What the language passed over. */
  warnings?: string[];
}

/** Makes the email of a source. Throws {@link Unmakeable}, or what the project's programs throw. */
export type Maker = (path: string, data: MakeOrder['data']) => Promise<Made>;

/** Why no email can be made: a sentence without its beginning, which is the name of the source. */
export class Unmakeable extends Error {}

/** What a program of the project says against it, and the files in which it may be mended. */
export class Fault extends Error {
  readonly files: readonly string[];

  constructor(message: string, files: readonly string[], cause: unknown) {
    super(message, { cause });
    this.files = files;
  }
}

export type MakeAnswer =
  | ({ ok: true } & Made)
  /** `isSentence`: the reason is that of an {@link Unmakeable}. `files`: those of a {@link Fault}, whole paths. */
  | { ok: false; reason: string; isSentence: boolean; files?: readonly string[] };
