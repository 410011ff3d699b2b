// What is found out about the message itself, whoever receives it.
import {
  bulkSenderFindings,
  checkBulkSender,
  checkOneClick,
  type BulkSenderInput,
  type LiveUnsubscribe,
  type OneClickReport,
} from '../../../engines/bulk-sender/index.ts';
import type { Finding } from '../../../engines/findings/index.ts';
import type { Authentication } from '../../../engines/mail-authentication/index.ts';
import { explainSymbol, measuredBeside, spamFindings } from '../../../engines/spam-rules/index.ts';
import type { Static } from 'typebox';
import { factsOf, type Examination } from '../_seeds/index.ts';
import type { Analysis } from './contract.ts';
import type { FilterState } from '../../../platform/spam-filters/index.ts';
import { filterAdvice } from './filter-advice.ts';
import type { OutgoingMessage } from './message.ts';

export type SpamAnalysis = Static<typeof Analysis>;

/** Puts together what the checklist, the filters and the verdicts say. */
export function analyze(
  examined: Examination,
  {
    sender,
    live,
    states,
  }: { sender: OutgoingMessage['sender']; live: LiveUnsubscribe | null; states: readonly FilterState[] },
): { analysis: SpamAnalysis; findings: Finding[] } {
  const { mail, authentication, judged, isEncrypted, canBeAnswered } = examined;
  const given: BulkSenderInput = {
    headers: mail.headerList,
    authentication: factsOf(examined),
    connection: {
      ...(judged.ip !== null && { ip: judged.ip }),
      helo: judged.helo,
      ...(isEncrypted !== null && { isEncrypted }),
    },
    ...(canBeAnswered !== null && { fromDomainExists: canBeAnswered }),
    offersToUnsubscribe: examined.offersToUnsubscribe,
    ...(live && { liveUnsubscribe: live }),
  };
  const bulk = checkBulkSender(given);
  const oneClick = checkOneClick(given);
  const isMailing =
    mail.headers['list-unsubscribe'] !== undefined || mail.headers['list-unsubscribe-post'] !== undefined;
  const analysis: SpamAnalysis = {
    sender,
    envelope: { ip: judged.ip, helo: judged.helo, reverse_dns: judged.reverseDns, mail_from: judged.mailFrom },
    authentication: authenticationView(authentication),
    filters: filtersOf(examined),
    filter_advice: filterAdvice(states),
    bulk_sender: {
      passed: bulk.passed,
      failed: bulk.failed,
      warnings: bulk.warnings,
      unknown: bulk.unknown,
      checks: bulk.checks.map((check) => ({ ...check, requirements: [...check.requirements] })),
    },
    // A message that offers no unsubscribing has nothing to conform to.
    one_click: {
      conforms: isMailing ? oneClick.conforms : null,
      url: oneClick.url,
      checks: oneClick.points.map((point) => ({ ...point })),
    },
  };
  return {
    analysis,
    findings: [
      ...authenticationFindings(analysis),
      ...spamFindings(examined.builtIn),
      measuredFinding(examined),
      ...filterFindings(analysis),
      ...bulkSenderFindings(bulk).filter(
        ({ rule, severity }) => severity !== 'pass' && !(sender.kind === 'stand-in' && OF_SENDER.test(rule)),
      ),
      ...(isMailing ? oneClickFindings(oneClick) : []),
    ],
  };
}

function authenticationView({
  spf,
  spfHelo,
  dkim,
  dmarc,
  arc,
  bimi,
  reverseDns,
}: Omit<Authentication, 'headerFields'>): SpamAnalysis['authentication'] {
  const row = (
    method: string,
    { result, reason, rfc }: { result: string; reason: string; rfc: string },
    more: { domain?: string | null; aligned?: boolean | null } = {},
  ) => ({ method, result, reason, source: rfc, domain: more.domain ?? null, aligned: more.aligned ?? null });
  return [
    row('spf', spf, { domain: spf.domain, aligned: spf.isAligned }),
    ...(spfHelo ? [row('spf-helo', spfHelo, { domain: spfHelo.domain })] : []),
    ...dkim.map((one) => row('dkim', one, { domain: one.domain || null, aligned: one.isAligned })),
    row('dmarc', dmarc, { domain: dmarc.fromDomain }),
    row('arc', arc),
    row('bimi', bimi),
    row('reverse-dns', reverseDns, { domain: reverseDns.confirmedName }),
  ];
}

type OperatedRule = Extract<Examination['filters'][number], { ok: true }>['rules'][number];
type FilterView = SpamAnalysis['filters'][number];

/** What a filter of the operator's says by the name of its rule. */
function operatedRule({ name, points, description, options }: OperatedRule): FilterView['rules'][number] {
  const advice = explainSymbol(name);
  const meaning = description || advice?.meaning || name;
  const message = options?.length ? `${meaning.replace(/\.$/, '')}: ${options.join(', ')}` : meaning;
  // What speaks for the message needs no mending.
  const fix = points > 0 ? (advice?.fix ?? null) : null;
  return { rule: name, points, description: meaning, message, fix, source: null, places: [] };
}

/** The operator's filters first, then the built-in rules: the same table for each. */
function filtersOf({ filters, builtIn }: Examination): SpamAnalysis['filters'] {
  const operated = filters.map((one): FilterView => {
    if (!one.ok)
      return {
        engine: one.engine,
        score: null,
        threshold: null,
        verdict: null,
        failure: one.message,
        version: null,
        action: null,
        rules: [],
      };
    return {
      engine: one.engine,
      score: one.score,
      threshold: one.threshold,
      verdict: one.verdict,
      failure: null,
      version: one.version,
      action: one.action,
      rules: one.rules.map(operatedRule),
    };
  });
  const own = builtIn.rules.map(({ rule, points, description, message, fix, source, places }) => ({
    rule,
    points,
    description,
    message,
    fix: points > 0 ? fix : null,
    source,
    places,
  }));
  return [
    ...operated,
    {
      engine: builtIn.engine,
      score: builtIn.score,
      threshold: builtIn.threshold,
      verdict: builtIn.verdict,
      failure: null,
      version: builtIn.version,
      action: null,
      measured: measuredBeside(builtIn.language),
      rules: own,
    },
  ];
}

const BAD = new Set(['fail', 'softfail', 'permerror', 'temperror']);

function authenticationFindings({ authentication, sender }: SpamAnalysis): Finding[] {
  // What the stand-in lacks is no fault of the message.
  if (sender.kind === 'stand-in') return [];
  return authentication
    .filter(({ method, result }) => ['spf', 'dkim', 'dmarc'].includes(method) && (BAD.has(result) || result === 'none'))
    .map(({ method, result, reason, source }) => ({
      rule: `spam/${method}`,
      severity:
        result === 'fail' || result === 'permerror'
          ? 'error'
          : result === 'none' && method === 'spf'
            ? 'info'
            : 'warning',
      message: reason,
      source,
    }));
}

/** Reports say beside what was found how much of it is found as a rule. */
function measuredFinding({ builtIn }: Examination): Finding {
  const { date, sentences } = measuredBeside(builtIn.language);
  return {
    rule: 'spam/measured',
    severity: 'info',
    message:
      `The built-in rules give ${builtIn.score} of ${builtIn.threshold} points. How often they are right, measured ` +
      `on ${date}: ${sentences.join(' ')}`,
    source: 'data/spam-rules',
  };
}

function filterFindings({ filters }: SpamAnalysis): Finding[] {
  return filters
    .filter(({ engine }) => engine !== 'built-in')
    .flatMap(({ engine, rules }) =>
      rules
        .filter(({ points }) => points >= 0.5)
        .map((hit): Finding => ({
          rule: `spam/${engine}/${hit.rule.toLowerCase().replaceAll('_', '-')}`,
          severity: points(hit.points),
          message: hit.message,
          ...(hit.fix !== null && { fix: hit.fix }),
          source: engine,
          details: { points: hit.points },
        })),
    );
}

function points(value: number): Finding['severity'] {
  return value >= 1.5 ? 'error' : 'warning';
}

/** What is known of the stand-in only says nothing about the sender. */
const OF_SENDER = /^bulk-sender\/(spf|dkim|dmarc|alignment|reverse-dns|helo|tls|from-domain)/;

function oneClickFindings({ points }: OneClickReport): Finding[] {
  return points
    .filter(({ status }) => status === 'fail')
    .map(({ id, message, fix, source }) => ({
      rule: `spam/one-click/${id}`,
      severity: 'warning',
      message,
      ...(fix !== null && { fix }),
      source,
    }));
}
