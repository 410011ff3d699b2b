import { analyzeCode, findingsOf, packAnalysis, scoreFor, type PackedAnalysis } from '../../engines/code-analysis/index.ts';
import type { Finding } from '../../engines/findings/index.ts';
import { checkHygiene, inboxRows, type InboxRow } from '../../engines/hygiene/index.ts';
import { readMessage, type CheckedMessage, type StoredSource } from '../email-sources/index.ts';
import { defineInspection } from '../inspections/index.ts';
import { audienceOf, chooseAudience, type ChosenAudience } from './audience.ts';
import { outsideOfHtml } from './whole-message.ts';

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

/** Only a whole message tells of headers and of its text part. */
function wholeMessageOf(message: CheckedMessage) {
  return message.kind === 'mime' ? { headers: message.headerList, text: message.text ?? '', rawBytes: message.rawBytes } : {};
}

const NO_HTML: Finding = { rule: 'hygiene/no-html', severity: 'info', message: 'The message has no HTML part, so that there is no code to analyze.' };

/** Lets others have their turn. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** The features of the support data that a message uses, where, and who shows them; and what the data does not cover. */
export const codeAnalyses = defineInspection<CodeInput, CodeResult>({
  kind: 'code',
  noun: 'code analysis',
  lane: 'quick',
  timeoutMs: 60_000,
  keepsVersions: true,
  async inspect(_outside, input) {
    const chosen = input.audience ?? chooseAudience(undefined);
    const audience = audienceOf(chosen);
    const message = await readMessage(input);
    const { html } = message;
    const subject = message.subject ?? input.subject;
    const titled = subject === undefined ? {} : { subject };
    const analysis = analyzeCode(html, await outsideOfHtml(message));
    // A message of several megabytes takes a second for each of these.
    await turn();
    const hygiene = html.trim() ? checkHygiene({ html, ...titled, ...wholeMessageOf(message) }) : [NO_HTML];
    await turn();
    const inbox = inboxRows({ html, ...titled });
    await turn();
    const code = findingsOf(analysis, { audience });
    const score = scoreFor(analysis, audience);
    const findings = [...code, ...hygiene];
    const count = (severity: Finding['severity']) => findings.filter((finding) => finding.severity === severity).length;
    return {
      result: { analysis: packAnalysis(analysis), audience: chosen, inbox },
      findings,
      summary: { score: score.overall, features: analysis.features.length, errors: count('error'), warnings: count('warning') },
    };
  },
});
