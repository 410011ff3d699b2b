import {
  audiences,
  defaultAudience,
  scoreFor,
  unpackAnalysis,
  type PackedAnalysis,
} from '../../../engines/code-analysis/index.ts';
import type { Finding } from '../../../engines/findings/index.ts';
import { nameOfSource, type StoredSource } from '../_message/index.ts';
import { defineInspection, toldBeside, type Checked, type InspectionMachine } from '../_inspections/index.ts';
import { analyzeMessage } from './analyze-message.ts';
import type { ChosenAudience } from './audience.ts';
import { PATH, TAG } from './contract.ts';
import type { KeptInboxRow } from './inbox.ts';

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
  inbox: KeptInboxRow[];
}

/** Findings of the analysis itself depend on the audience, those of the checks beside it don't. */
export function isOfCode({ rule }: Finding): boolean {
  return rule.startsWith('code/');
}

/** By audience, `''` being the default one. */
function scoresOf({ analysis: packed }: CodeResult): Record<string, number> {
  const analysis = unpackAnalysis(packed);
  const scores = Object.fromEntries(audiences.map((audience) => [audience.id, scoreFor(analysis, audience).overall]));
  return { ...scores, '': scores[defaultAudience.id] ?? 0 };
}

/**
 * The features of the support data that a message uses, where, and who shows them; and what the data does not cover.
 */
export const codeAnalyses: InspectionMachine<CodeInput, CodeResult, 'compute'> = defineInspection<
  CodeInput,
  CodeResult,
  'compute'
>({
  kind: 'code',
  noun: 'code analysis',
  lane: 'quick',
  timeoutMs: 300_000,
  listing: {
    path: PATH,
    label: 'Code',
    about: 'Shows which clients support the HTML and CSS of the message.',
    tag: { name: TAG, about: 'Which HTML and CSS of an email which clients do not show.' },
    page: 'code',
    contentChecking: { field: 'code_analysis', order: 40 },
    gate: {
      check: 'code',
      order: 10,
      groups: { code: 'Code', hygiene: 'Hygiene' },
      limits: [
        {
          name: 'score_min',
          order: 60,
          about: 'The least score of the code: for the default audience, or by audience.',
          of: { measures: 'scores', names: audiences.map(({ id }) => id) },
          label: 'Minimum code score',
        },
      ],
      async run(outside, email, run): Promise<Checked> {
        const { source, subject } = email;
        const input = { ...source, ...(subject !== undefined && { subject }) };
        const { result, findings } = await codeAnalyses.inspect(outside, input, run);
        return { findings: toldBeside(findings, email), measures: { scores: scoresOf(result) } };
      },
    },
  },
  nameOf: nameOfSource,
  keepsVersions: true,
  inspect: ({ compute }, input, { signal }) => compute.run(analyzeMessage, input, { signal }),
});
