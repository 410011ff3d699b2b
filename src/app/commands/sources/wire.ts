// What is said between a command and the process that makes emails from sources.

export interface MakeOrder {
  id: number;
  /** The whole path of the source. */
  path: string;
  /** Takes the place of variables; of a component, its props. */
  data: Record<string, unknown>;
}

export type MakeAnswer =
  | {
      id: number;
      ok: true;
      html: string;
      /** The same, made from a source with marks (`engines/source/source-marks.ts`); undefined: it could not be. */
      marked?: string;
      /** Files that it was made from, whole paths. */
      files: string[];
      /** Folders in which any file may be part of it. */
      folders: string[];
    }
  | { id: number; ok: false; /** A sentence or several. */ reason: string };
