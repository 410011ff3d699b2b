// What `galley spam` does when its command line can be read.
import { parseMime } from '../../../engines/mime/index.ts';
import { computeHere } from '../../../platform/compute/index.ts';
import { systemClock } from '../../../platform/clock/index.ts';
import { createAddressesOf, DnsError, openDns, type Dns } from '../../../platform/dns/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { createFetch } from '../../../platform/fetch/index.ts';
import { hasNetwork } from '../../../platform/network/index.ts';
import { openSpamFilters } from '../../../platform/spam-filters/index.ts';
import { readEnvelope, type AssumedEnvelope } from '../../../features/proof/_seeds/index.ts';
import { judgeUnsent, type SpamInput, type UnsentVerdicts } from '../../../features/proof/spam-tests/index.ts';
import { VERSION } from '../../version.ts';
import { readEmailFile } from '../email-file.ts';
import { titleOf } from '../local-source.ts';
import { fillSubject, readMergeData } from '../merge-data.ts';
import { oneKind, type MessageKind } from '../message-file.ts';
import type { SpamOptions } from '../spam.ts';
import { readSettings } from '../settings.ts';
import { UsageError } from '../usage.ts';

const FIELDS = {
  ip: 'ip',
  helo: 'helo',
  rdns: 'reverseDns',
  reverse_dns: 'reverseDns',
  from: 'mailFrom',
  mail_from: 'mailFrom',
} as const;

function readAs(text: string | undefined): AssumedEnvelope | null {
  if (text === undefined) return null;
  const given: AssumedEnvelope = { ip: null, helo: null, reverseDns: null, mailFrom: null };
  for (const part of text.split(',')) {
    const [name = '', ...value] = part.split('=');
    const field = FIELDS[name.trim() as keyof typeof FIELDS];
    if (!field || value.length === 0)
      throw new UsageError(
        `--as: "${part}" is none of ${Object.keys(FIELDS)
          .map((key) => `${key}=…`)
          .join(', ')}.`,
      );
    given[field] = value.join('=').trim();
  }
  try {
    return readEnvelope(given, 'ip');
  } catch (error) {
    if (error instanceof AppError) throw new UsageError(`--as: ${error.message}`);
    throw error;
  }
}

interface Given {
  subject: string | undefined;
  type: MessageKind | undefined;
  dataPath: string | undefined;
  envelope: AssumedEnvelope | null;
  isLiveUnsubscribe: boolean;
}

async function readInput(
  path: string,
  { subject: written, type, dataPath, envelope, isLiveUnsubscribe }: Given,
): Promise<SpamInput> {
  const data = await readMergeData(dataPath);
  const subject = await fillSubject(written, data);
  const { kind, bytes, html } = await readEmailFile(path, { type, data });
  const isHtml = kind === 'html';
  if (isHtml ? html.trim() === '' : !(await hasBody(bytes)))
    throw new UsageError(
      `${path} holds ${isHtml ? 'no HTML' : 'no message: neither an HTML nor a text part under a header with From'}.`,
    );
  const content: SpamInput['content'] = isHtml
    ? { kind: 'html', subject: subject ?? titleOf(html), html, text: null, from: null, fromName: null, headers: {} }
    : { kind: 'mime', raw: bytes };
  return { content, envelope, isLiveUnsubscribe };
}

/** What is no message at all would only be called spam. */
async function hasBody(raw: Buffer): Promise<boolean> {
  const mail = await parseMime(raw);
  return mail.from.length > 0 && (mail.html !== undefined || mail.text !== undefined);
}

/** Answers nothing at once, where asking would only take time. */
const NO_DNS: Dns = { resolve: (name, type) => Promise.reject(new DnsError('ETIMEOUT', { name, type })) };

const WHERE = { inbox: 'inbox', category: 'inbox', spam: 'SPAM', rejected: 'REFUSED', deferred: 'put off' } as const;

const VERDICT_WORDS: Readonly<Record<string, string>> = { nothing_found: 'nothing found', soft: 'in doubt' };

/** Rspamd's threshold is where it refuses; what it calls spam lies below. */
function saidBy({ engine, score, threshold, verdict, action }: UnsentVerdicts['analysis']['filters'][number]): string {
  const points = engine === 'rspamd' ? `${score} points, refuses from ${threshold}` : `${score} of ${threshold} points`;
  return (
    `${points}: ${verdict === null ? '' : (VERDICT_WORDS[verdict] ?? verdict)}` +
    `${action === null || action === 'no action' ? '' : ` (${action})`}`
  );
}

function pretty(
  { analysis, receivers }: UnsentVerdicts,
  { isOffline, isSubjectMissing }: { isOffline: boolean; isSubjectMissing: boolean },
): string {
  const lines: string[] = [analysis.sender.note];
  if (isSubjectMissing) lines.push('The file names no subject; give it with --subject.');
  if (isOffline)
    lines.push('There is no DNS: authentication could not be checked, and does not count against the message.');
  lines.push('', 'Simulated receivers (rules of Galley; a real provider may decide differently)');
  for (const { receiver, verdict } of receivers) {
    const tab = verdict.category === null ? '' : ` (${verdict.category})`;
    lines.push(
      `  ${(WHERE[verdict.placement] + tab).padEnd(20)} ${receiver.displayName.padEnd(54)} ` +
        `${verdict.reasons[0]?.message ?? ''}`,
    );
  }
  lines.push('', 'Authentication');
  for (const { method, result, reason } of analysis.authentication)
    lines.push(`  ${method.padEnd(12)} ${result.padEnd(10)} ${reason}`);
  for (const filter of analysis.filters) {
    const said = filter.failure ?? saidBy(filter);
    lines.push('', `Filter ${filter.engine}: ${said}`);
    for (const { points, rule, message, fix } of filter.rules) {
      if (points === 0) continue;
      lines.push(`  ${points.toFixed(1).padStart(5)}  ${rule}  ${message}`);
      if (fix !== null && points > 0) lines.push(`         → ${fix}`);
    }
    if (filter.measured)
      lines.push(
        `  Accuracy, measured on ${filter.measured.date}:`,
        ...filter.measured.sentences.map((sentence) => `    ${sentence}`),
      );
  }
  const missing = (analysis.filter_advice ?? []).filter(({ fix }) => fix !== null);
  if (missing.length) lines.push('', 'Filters that are not available');
  for (const { message, fix } of missing) lines.push(`  ${message}`, `    → ${fix}`);
  const { bulk_sender: bulk, one_click: oneClick } = analysis;
  lines.push(
    '',
    `Bulk sender checklist: ${bulk.passed} pass, ${bulk.failed} fail, ${bulk.warnings} warn, ${bulk.unknown} unknown`,
  );
  for (const { status, title, reason, fix } of bulk.checks)
    if (status === 'fail' || status === 'warning')
      lines.push(`  ${status.padEnd(8)} ${title}: ${reason}${fix === null ? '' : `\n           → ${fix}`}`);
  lines.push(
    '',
    oneClick.conforms === null
      ? 'One-click unsubscribe: not offered'
      : `One-click unsubscribe (RFC 8058): ${oneClick.conforms ? 'conforms' : 'does not conform'}`,
  );
  if (oneClick.conforms !== null)
    for (const { status, message } of oneClick.checks) lines.push(`  ${status.padEnd(15)} ${message}`);
  return `${lines.join('\n')}\n`;
}

function json({ analysis, receivers, findings }: UnsentVerdicts, isOffline: boolean): string {
  const rows = receivers.map(({ receiver, verdict }) => ({
    receiver: receiver.domain,
    display_name: receiver.displayName,
    simulated: true,
    category: receiver.category,
    placement: verdict.placement,
    folder: verdict.category,
    score: verdict.score,
    thresholds: verdict.thresholds,
    reasons: verdict.reasons,
    smtp_reply: verdict.smtpReply,
  }));
  return `${JSON.stringify({ offline: isOffline, receivers: rows, analysis, findings }, null, 2)}\n`;
}

/** Judges the message and prints the verdicts. Returns the exit code; throws {@link UsageError}. */
export async function runSpam(path: string, values: SpamOptions): Promise<number> {
  const config = readSettings();
  const input = await readInput(path, {
    subject: values.subject,
    type: oneKind(values.type),
    dataPath: values.data,
    envelope: readAs(values.as),
    isLiveUnsubscribe: values['live-unsubscribe'],
  });
  const isOffline = values.offline || (config.dns.servers.length === 0 && !(await hasNetwork()));
  const fetch = createFetch({
    allowHosts: config.fetch.allowHosts,
    resolver: createAddressesOf(config.dns.servers),
    userAgent: `Galley/${VERSION} (spam test)`,
  });
  try {
    const verdicts = await judgeUnsent(
      {
        compute: computeHere,
        config,
        fetch,
        clock: systemClock,
        dns: isOffline ? NO_DNS : openDns(config.dns),
        filters: openSpamFilters(config.filters),
      },
      input,
    );
    process.stdout.write(
      values.format === 'json'
        ? json(verdicts, isOffline)
        : pretty(verdicts, {
            isOffline,
            isSubjectMissing: input.content.kind === 'html' && input.content.subject === '',
          }),
    );
    return verdicts.receivers.every(({ verdict }) => verdict.placement === 'inbox' || verdict.placement === 'category')
      ? 0
      : 1;
  } finally {
    fetch.close();
  }
}
