import type { PackedAnalysis } from '../../../engines/code-analysis/index.ts';
import type { Finding } from '../../../engines/findings/index.ts';
import type { InboxRow } from '../../../engines/hygiene/index.ts';
import { nameOfSource, type StoredSource } from '../_message/index.ts';
import { defineInspection } from '../_inspections/index.ts';
import { analyzeMessage } from './analyze-message.ts';
import type { ChosenAudience } from './audience.ts';

/** An email, and who is to read it. */
export interface CodeInput extends StoredSource {
  /** The default profile when it is left out. */
  audience?: ChosenAudience;
  /** Of a message that carries none itself. */
  subject?: string;
}

/** What is kept of an analysis; the support data is joined to it when it is read. */
export interface CodeResult {
  analysis: PackedAnalysis;
  audience: ChosenAudience;
  inbox: InboxRow[];
}

/** Findings of the analysis itself depend on the audience, those of the checks beside it don't. */
export function isOfCode({ rule }: Finding): boolean {
  return rule.startsWith('code/');
}

/**
 * The features of the support data that a message uses, where, and who shows them; and what the data does not cover.
 */
export const codeAnalyses = defineInspection<CodeInput, CodeResult>({
  kind: 'code',
  noun: 'code analysis',
  lane: 'quick',
  timeoutMs: 300_000,
  nameOf: nameOfSource,
  keepsVersions: true,
  inspect: ({ compute }, input, { signal }) => compute.run(analyzeMessage, input, { signal }),
});
