// Everything that an analysis computes: the features of a message, its hygiene, what inboxes show of it.
import { analyzeCode, findingsOf, packAnalysis, scoreFor } from '../../../engines/code-analysis/index.ts';
import { onePerCause, type Finding } from '../../../engines/findings/index.ts';
import { checkHygiene, checkPartCharsets } from '../../../engines/hygiene/index.ts';
import { inboxRows } from '../../../engines/inbox-rows/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';
import { readMessage, type CheckedMessage } from '../_message/index.ts';
import type { Inspected } from '../_inspections/index.ts';
import { audienceOf, chooseAudience } from './audience.ts';
import { keptRows } from './inbox.ts';
import type { CodeInput, CodeResult } from './inspection.ts';
import { outsideOfHtml } from './whole-message.ts';

/** Only a whole message has headers and a text part. */
function wholeMessageOf(message: CheckedMessage) {
  return message.kind === 'mime'
    ? {
        headers: message.headerList,
        text: message.text ?? '',
        rawBytes: message.rawBytes,
        charsetProblems: message.charsetProblems,
      }
    : {};
}

const NO_HTML: Finding = {
  rule: 'hygiene/no-html',
  severity: 'info',
  message: 'The message has no HTML part, so that there is no code to analyze.',
};

export const analyzeMessage = defineComputation(
  import.meta.url,
  'analyzeMessage',
  async (input: CodeInput): Promise<Inspected<CodeResult>> => {
    const chosen = input.audience ?? chooseAudience(undefined);
    const audience = audienceOf(chosen);
    const message = await readMessage(input);
    const { html, read } = message;
    const subject = message.subject ?? input.subject;
    const titled = subject === undefined ? {} : { subject };
    const analysis = analyzeCode(read, outsideOfHtml(message));
    const hygiene = html.trim()
      ? checkHygiene({ html, ...titled, ...wholeMessageOf(message) }, read)
      : [NO_HTML, ...checkPartCharsets(message.charsetProblems)];
    const inbox = keptRows(inboxRows({ html, text: message.text, ...titled }, read));
    const code = findingsOf(analysis, { audience });
    const score = scoreFor(analysis, audience);
    const findings = onePerCause([...code, ...hygiene]);
    const count = (severity: Finding['severity']) => findings.filter((finding) => finding.severity === severity).length;
    return {
      result: { analysis: packAnalysis(analysis), audience: chosen, inbox },
      findings,
      summary: {
        score: score.overall,
        features: analysis.features.length,
        errors: count('error'),
        warnings: count('warning'),
      },
    };
  },
);
