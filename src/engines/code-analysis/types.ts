// The words of code analysis: which features of the caniemail data a message uses, where, and what each client does
// with them.

import type { Readers } from '../source/index.ts';
import type { SupportLevel } from '../caniemail/index.ts';

/** One place where a feature is used. */
export interface FeatureInstance {
  /** Lines and columns count from 1, in UTF-16 units, in the source as given. */
  line: number;
  column: number;
  /** From the start of the source, from 0. */
  offset: number;
  /** The piece of source meant, on one line, shortened. */
  snippet: string;
  /** The element in the parsed document; none in style sheets and in comments that only Word reads. */
  selector?: string;
  /** Set only if not all clients read it. */
  readers?: Readers;
  /** Numbers of the notes that are about what this place does. */
  notes?: readonly number[];
}

/** What one version of one client does with a feature: a cell of the data. */
export interface SupportRow {
  /** `gmail.android.2020-04`: key of the dictionary's variants. */
  id: string;
  family: string;
  platform: string;
  version: string;
  level: SupportLevel;
  /** Numbers into the feature's notes. */
  notes: readonly number[];
  /** The newest version that was tested of this client. */
  isNewest: boolean;
}

export interface AnalyzedFeature {
  slug: string;
  title: string;
  category: 'html' | 'css' | 'image' | 'others';
  /** What the feature does, one sentence. */
  description: string;
  /** `YYYY-MM-DD`: when somebody last tried it in the clients. */
  lastTestDate: string;
  /** The feature's page, with the tests. */
  url: string;
  /** The texts of the notes that `support` points to; Markdown. */
  notes: Readonly<Record<number, string>>;
  /** In the order of the source, at most `instancesMax` of them. */
  instances: FeatureInstance[];
  instanceCount: number;
  /** How many of the instances stand in a style sheet, and how many of those inside `@media`. */
  inStyleSheets: number;
  inMediaQueries: number;
  /** Notes that are about something this message does. The other notes don't matter to it. */
  notesMet: number[];
  /** Everybody who reads at least one instance. */
  readers: Readers;
  /** Every version of every client of the data, oldest first within a client. */
  support: readonly SupportRow[];
  /** What to write where the feature is not supported. */
  suggestion?: string;
}

export interface CodeAnalysis {
  /** Sorted by slug. */
  features: AnalyzedFeature[];
  /** UTF-8 bytes. */
  sourceBytes: number;
  /** Features that can't be looked for in what was given, and why. */
  notLookedFor: { slug: string; reason: string }[];
  /** False: the message is too large or too deep, and only its first part was read. */
  complete: boolean;
  /** When the support data last changed, `YYYY-MM-DD`. */
  dataDate: string;
}

export interface AnalyzeOptions {
  /** The message's header fields: `BIMI-…` and `Authentication-Results` tell of BIMI. */
  headers?: readonly { name: string; value: string }[];
  /** The `text/x-amp-html` part. */
  ampHtml?: string;
  /**
   * Formats by image address as written in the source, such as `apng` or `webp`, measured; they win over file
   * extensions.
   */
  imageFormats?: ReadonlyMap<string, string>;
  /** Places kept for each feature. Default 200. */
  instancesMax?: number;
}
