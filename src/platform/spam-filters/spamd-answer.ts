// What spamd answers: a status line, header lines, and a report made for people to read.
import { FilterFailure } from './failure.ts';
import type { FilterRule } from './types.ts';

interface SpamdAnswer {
  score: number;
  threshold: number;
  isSpam: boolean;
  rules: FilterRule[];
}

function broken(why: string): FilterFailure {
  return new FilterFailure('broken', `SpamAssassin's answer cannot be read: ${why}.`);
}

/**
 * Status line, headers and body of any answer. Throws FilterFailure for what is not spamd's protocol, or was cut short.
 */
export function splitSpamdAnswer(bytes: Buffer): { headers: Map<string, string>; body: Buffer } {
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes
    .subarray(0, end < 0 ? bytes.length : end)
    .toString('latin1')
    .split('\r\n');
  const status = /^SPAMD\/\d+\.\d+ (\d+) ([^\r\n]{0,200})/.exec(head[0] ?? '');
  if (!status)
    throw broken(bytes.length === 0 ? 'it closed the connection without one' : 'it is not the spamd protocol');
  // sysexits.h: 75 is a temporary failure, 79 spamd's own time limit.
  if (status[1] === '79') throw new FilterFailure('timeout', 'SpamAssassin ran into its own time limit.');
  if (status[1] !== '0')
    throw new FilterFailure('refused', `SpamAssassin refused the message: ${status[1]} ${status[2]}`);
  if (end < 0) throw broken('it ends within its header');
  const headers = new Map<string, string>();
  for (const line of head.slice(1)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const body = bytes.subarray(end + 4);
  const length = headers.get('content-length');
  if (length !== undefined && Number(length) !== body.length) throw broken(`${body.length} of ${length} bytes came`);
  return { headers, body };
}

/** The answer to REPORT. Throws FilterFailure. */
export function readSpamdReport(bytes: Buffer): SpamdAnswer {
  const { headers, body } = splitSpamdAnswer(bytes);
  const verdict = /^(True|False|Yes|No)\s*;\s*(-?\d+(?:\.\d+)?)\s*\/\s*(-?\d+(?:\.\d+)?)$/i.exec(
    headers.get('spam') ?? '',
  );
  if (!verdict) throw broken('it holds no score');
  const report = body.toString('utf8');
  const table = tableRules(report);
  return {
    score: Number(verdict[2]),
    threshold: Number(verdict[3]),
    isSpam: /^(?:true|yes)$/i.test(verdict[1]!),
    rules: table.length ? table : listedRules(report),
  };
}

const ROW = /^\s{0,3}(-?\d+(?:\.\d+)?)\s+(?:\*\s*)?([A-Z_][A-Z0-9_]*)(?:\s+(.*))?$/i;

/** Rows of ` 1.3 RULE_NAME   description`, which may go on in the next line; the default template of every release. */
function tableRules(report: string): FilterRule[] {
  const lines = report.split(/\r?\n/);
  const start = lines.findIndex((line) => /^\s*-{2,}\s+-{4,}/.test(line));
  if (start < 0) return [];
  const rules: FilterRule[] = [];
  for (const line of lines.slice(start + 1)) {
    const row = ROW.exec(line);
    const last = rules.at(-1);
    if (row) rules.push({ name: row[2]!, points: Number(row[1]) || 0, description: row[3]?.trim() ?? '' });
    else if (last && /^\s{8,}\S/.test(line)) last.description = `${last.description} ${line.trim()}`.trim();
    else if (line.trim() !== '') break;
  }
  return rules.map((rule) => ({ ...rule, description: readable(rule.description) }));
}

/** Without the kind of test that SpamAssassin puts in front, and without its note that there is no description. */
function readable(description: string): string {
  return /^no description available\.?$/i.test(description)
    ? ''
    : description.replace(/^(?:BODY|RAW|URI|FULL|META): +/, '');
}

/** `RULE=1.3,OTHER=-0.1`, as sites write that use `_TESTSSCORES_`. */
function listedRules(report: string): FilterRule[] {
  return [...report.matchAll(/(?:^|[\s,])([A-Z_][A-Z0-9_]{2,})=(-?\d+(?:\.\d+)?)(?=[\s,]|$)/g)].map(
    ([, name, points]) => ({ name: name!, points: Number(points) || 0, description: '' }),
  );
}
