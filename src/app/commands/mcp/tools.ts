// The tools that an assistant is offered: each runs a command of Galley and answers with text and pictures.
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type, type Static, type TObject } from 'typebox';
import type { Finding } from '../../../engines/findings/index.ts';
import { smallPicture } from '../../../platform/browser/index.ts';
import { EMAIL_FIELDS, withEmail, type EmailInput, type OpenedEmail } from './email-input.ts';
import { runGalley, ToolError, type Ran } from './run-galley.ts';

export type Content = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string };

interface ToolCall {
  /** The folder that tools may read. */
  root: string;
  signal: AbortSignal;
}

interface Tool {
  title: string;
  description: string;
  input: TObject;
  /** Whether it changes nothing. */
  isReadOnly: boolean;
  run(input: never, call: ToolCall): Promise<Content[]>;
}

/** A field that there is none of is a mistake that should be seen. */
const CLOSED = { additionalProperties: false };
const CLIENTS_MAX = 8;
const DEFAULT_CLIENTS = ['gmail_chrome', 'ol2021', 'applemail_26_dm', 'iphone16_18'];
const PICTURE_WIDTH = 480;
const PICTURE_BYTES_MAX = 1024 * 1024;
const FINDINGS_SHOWN = 60;
const PLACES_SHOWN = 20;
const TEXT_CHARS_MAX = 120_000;

interface CheckedReport {
  verdict: string;
  emails: {
    reasons: { message?: string }[];
    checks: { check: string; title: string; status: string; error?: unknown; findings: Finding[] }[];
  }[];
}

function text(value: string): Content {
  const isLong = value.length > TEXT_CHARS_MAX;
  return {
    type: 'text',
    text: isLong ? `${value.slice(0, TEXT_CHARS_MAX)}\n… cut at ${TEXT_CHARS_MAX} characters` : value,
  };
}

function subjectWords({ subject }: EmailInput): string[] {
  return subject === undefined ? [] : [`--subject=${subject}`];
}

/** What a command said of its failure, with the email's own name. */
function failure({ stderr, code }: Ran, { source, name }: OpenedEmail): ToolError {
  return new ToolError(stderr.replaceAll(source, name).trim() || `The command ended with ${code}.`);
}

async function check(email: OpenedEmail, input: EmailInput, { signal }: ToolCall): Promise<CheckedReport> {
  const ran = await runGalley(
    ['check', '--quiet', '--format=json', ...subjectWords(input), '--', email.source],
    signal,
  );
  if (ran.stdout === '') throw failure(ran, email);
  return JSON.parse(ran.stdout) as CheckedReport;
}

function lineOf({ rule, severity, message, where, count, fix }: Finding): string {
  const place =
    where?.line === undefined ? '' : ` (line ${where.line}${count === undefined ? '' : `, ${count} places`})`;
  return `- ${severity} ${rule}${place}: ${message}${fix === undefined ? '' : ` Fix: ${fix}`}`;
}

function summaryOf(report: CheckedReport, name: string): string {
  const [email] = report.emails;
  const checks = email?.checks ?? [];
  const findings = checks.flatMap((one) => one.findings);
  const rank = { error: 0, warning: 1, info: 2 } as Record<string, number>;
  const sorted = [...findings].sort((a, b) => (rank[a.severity] ?? 3) - (rank[b.severity] ?? 3));
  const left = sorted.length - FINDINGS_SHOWN;
  return [
    `${report.verdict.toUpperCase()} ${name}`,
    ...(email?.reasons ?? []).flatMap(({ message }) => (message === undefined ? [] : [`Reason: ${message}`])),
    ...checks.map(({ title, status, findings: found, error }) =>
      error === undefined
        ? `${title}: ${status}, ${found.length} findings`
        : `${title}: could not run (${JSON.stringify(error)})`,
    ),
    '',
    ...(sorted.length === 0 ? ['No findings.'] : sorted.slice(0, FINDINGS_SHOWN).map(lineOf)),
    ...(left > 0 ? [`… and ${left} more, less severe ones. "explain" tells everything about one rule.`] : []),
  ].join('\n');
}

const PREVIEW = Type.Object(
  {
    ...EMAIL_FIELDS,
    clients: Type.Optional(
      Type.Array(Type.String({ pattern: '^[a-z0-9_]{1,64}$' }), {
        maxItems: CLIENTS_MAX,
        minItems: 1,
        description:
          `Client ids, at most ${CLIENTS_MAX}; \`galley preview --list\` shows all. ` +
          `Default: ${DEFAULT_CLIENTS.join(', ')}.`,
      }),
    ),
  },
  CLOSED,
);

interface PreviewReport {
  clients: { client: string; file: string; engine: string; fidelity: string; notes: string[] }[];
  failed: { clientId: string; reason: string }[];
}

async function preview(input: Static<typeof PREVIEW>, { root, signal }: ToolCall): Promise<Content[]> {
  return withEmail(root, input, async (email) => {
    const out = join(email.workDir, 'pictures');
    const clients = (input.clients ?? DEFAULT_CLIENTS).join(',');
    const ran = await runGalley(
      ['preview', '--json', `--clients=${clients}`, `--out=${out}`, ...subjectWords(input), '--', email.source],
      signal,
    );
    if (ran.stdout === '') throw failure(ran, email);
    const report = JSON.parse(ran.stdout) as PreviewReport;
    const contents: Content[] = [];
    for (const { client, file, engine, fidelity, notes } of report.clients) {
      const png = await readFile(join(out, file));
      const whole = await smallPicture(png, { width: PICTURE_WIDTH, isWhole: true, format: 'jpeg' });
      const isTop = whole.length > PICTURE_BYTES_MAX;
      const picture = isTop ? await smallPicture(png, { width: PICTURE_WIDTH, isWhole: false, format: 'jpeg' }) : whole;
      const said = [`${client}: ${fidelity}, ${engine}`, ...(isTop ? ['only the top is shown'] : []), ...notes];
      contents.push(text(said.join('; ')), { type: 'image', data: picture.toString('base64'), mimeType: 'image/jpeg' });
    }
    for (const { clientId, reason } of report.failed) contents.push(text(`${clientId}: no picture, ${reason}`));
    return contents;
  });
}

const CHECK = Type.Object(EMAIL_FIELDS, CLOSED);

async function checkTool(input: Static<typeof CHECK>, call: ToolCall): Promise<Content[]> {
  return withEmail(call.root, input, async (email) => [text(summaryOf(await check(email, input, call), email.name))]);
}

const FIX = Type.Object(
  {
    ...EMAIL_FIELDS,
    looks: Type.Optional(
      Type.Union([Type.Literal('keep'), Type.Literal('adjust')], {
        description: 'keep (default) changes no pixel; adjust also repairs contrast, text sizes and the like.',
      }),
    ),
    write: Type.Optional(
      Type.Boolean({
        description: 'Write the repaired HTML into the file at path. Default: only show what would change.',
      }),
    ),
  },
  CLOSED,
);

async function fix(input: Static<typeof FIX>, call: ToolCall): Promise<Content[]> {
  if (input.html === undefined && input.path === undefined) throw new ToolError('fix repairs HTML: give path or html.');
  if (input.write === true && input.path === undefined) throw new ToolError('write: there is no file; give path.');
  return withEmail(call.root, input, async (email) => {
    const copy = join(email.workDir, 'fixed.html');
    if (email.source !== copy) await copyFile(email.source, copy);
    const ran = await runGalley(
      [
        'check',
        '--fix',
        `--looks=${input.looks ?? 'keep'}`,
        '--checks=accessibility',
        '--type=html',
        '--format=json',
        ...subjectWords(input),
        '--',
        copy,
      ],
      call.signal,
    );
    if (ran.stdout === '') throw failure(ran, { ...email, source: copy });
    const said = ran.stderr.replaceAll(copy, email.name).trim();
    const fixed = await readFile(copy, 'utf8');
    if (input.write === true) await writeFile(email.source, fixed);
    return [text(said), ...(input.write === true ? [text(`${email.name} was written.`)] : [text(fixed)])];
  });
}

const SPAM = Type.Object(EMAIL_FIELDS, CLOSED);

async function spam(input: Static<typeof SPAM>, call: ToolCall): Promise<Content[]> {
  if (input.url !== undefined) throw new ToolError('spam judges a message: give path, html or eml.');
  return withEmail(call.root, input, async (email) => {
    const ran = await runGalley(['spam', ...subjectWords(input), '--', email.source], call.signal);
    if (ran.stdout === '') throw failure(ran, email);
    return [text(ran.stdout)];
  });
}

const EXPLAIN = Type.Object(
  {
    ...EMAIL_FIELDS,
    rule: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'A rule that check named, such as accessibility/image-alt.',
    }),
  },
  CLOSED,
);

function explained(finding: Finding): string {
  const { rule, severity, message, fix: repair, source, clients, places, where, details } = finding;
  const all = places ?? (where === undefined ? [] : [where]);
  return [
    `${rule} (${severity}): ${message}`,
    ...(repair === undefined ? [] : [`What to do: ${repair}`]),
    ...(source === undefined ? [] : [`Where the rule comes from: ${source}`]),
    ...(clients === undefined ? [] : [`Clients that are affected: ${clients.join(', ')}`]),
    ...all.slice(0, PLACES_SHOWN).map((place) => `At ${JSON.stringify(place)}`),
    ...(all.length > PLACES_SHOWN ? [`… and ${all.length - PLACES_SHOWN} more places`] : []),
    ...(details === undefined ? [] : [`Details: ${JSON.stringify(details).slice(0, 4_000)}`]),
  ].join('\n');
}

async function explain(input: Static<typeof EXPLAIN>, call: ToolCall): Promise<Content[]> {
  return withEmail(call.root, input, async (email) => {
    const report = await check(email, input, call);
    const findings = report.emails.flatMap(({ checks }) => checks.flatMap((one) => one.findings));
    const found = findings.filter(({ rule }) => rule === input.rule);
    const rules = [...new Set(findings.map(({ rule }) => rule))].sort();
    if (found.length === 0)
      throw new ToolError(`This email breaks no rule ${input.rule}. It breaks: ${rules.join(', ') || 'none'}.`);
    return [text(found.map(explained).join('\n\n'))];
  });
}

/** By name. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  preview: {
    title: 'Preview an email',
    description:
      'Screenshots of an email as email clients show it. Each says whether the client itself, its engine or an ' +
      'emulation drew it.',
    input: PREVIEW,
    isReadOnly: true,
    run: preview,
  },
  check: {
    title: 'Check an email',
    description:
      'Code, links, images and accessibility of an email, with one verdict by galley.policy.json where the server ' +
      'was started, and every finding with its line and what to do.',
    input: CHECK,
    isReadOnly: true,
    run: checkTool,
  },
  fix: {
    title: 'Repair an email',
    description:
      'Repairs accessibility in the HTML of an email: the difference, what a person must look at, and the repaired ' +
      'HTML. Writes the file only with write.',
    input: FIX,
    isReadOnly: false,
    run: fix,
  },
  spam: {
    title: 'Judge an email as spam filters would',
    description:
      'What the spam filters of this machine and simulated receivers make of an email. Receivers are rules of ' +
      'Galley: a real provider may decide differently.',
    input: SPAM,
    isReadOnly: true,
    run: spam,
  },
  explain: {
    title: 'Explain a finding',
    description: 'Everything that is known about one rule that an email breaks: places, clients, source, what to do.',
    input: EXPLAIN,
    isReadOnly: true,
    run: explain,
  },
};
