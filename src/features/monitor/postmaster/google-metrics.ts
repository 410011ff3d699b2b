// What is asked of Google, and the records that follow from its answers. Names, filters and their values are those of
// `BaseMetric.standardMetric` in the discovery document gmailpostmastertools:v2 (revision 20260512). What version 1 had
// besides (reputation of domains and addresses, sample addresses) is not in it.
import type { DomainRecord, LoopRecord } from './records-store.ts';
import type { DeliveryError } from './store.ts';

export interface Metric {
  /** By which the answer is known. */
  name: string;
  standardMetric: string;
  filter?: string;
}

/** One figure of one day. */
export interface Stat {
  metric: string;
  day: string;
  number?: number;
  list: string[];
}

type Figure = 'spam' | 'spf' | 'dkim' | 'dmarc' | 'encryption' | 'error';

const auth = (type: 'spf' | 'dkim' | 'dmarc'): Metric => ({
  name: type,
  standardMetric: 'AUTH_SUCCESS_RATE',
  filter: `auth_type = "${type}"`,
});

const FIGURES: readonly (Metric & { name: Figure })[] = [
  { name: 'spam', standardMetric: 'SPAM_RATE' },
  auth('spf') as Metric & { name: Figure },
  auth('dkim') as Metric & { name: Figure },
  auth('dmarc') as Metric & { name: Figure },
  // `inbound` is what Gmail receives: the sender's mail.
  { name: 'encryption', standardMetric: 'TLS_ENCRYPTION_RATE', filter: 'traffic_direction = "inbound"' },
  { name: 'error', standardMetric: 'DELIVERY_ERROR_RATE' },
];

/** Error types with their reasons, and the class that records have named each by since version 1. */
const ERRORS: Readonly<Record<'reject' | 'temp_fail', { errorClass: string; reasons: readonly string[] }>> = {
  reject: {
    errorClass: 'PERMANENT_ERROR',
    reasons: [
      'bad_attachment',
      'bad_or_missing_ptr_record',
      'ip_in_rbls',
      'low_domain_reputation',
      'low_ip_reputation',
      'spammy_content',
      'stamp_policy_error',
      'other',
    ],
  },
  temp_fail: { errorClass: 'TEMPORARY_ERROR', reasons: ['anomalous_traffic_pattern', 'other'] },
};

const ERROR_METRICS = Object.entries(ERRORS).flatMap(([type, { errorClass, reasons }]) =>
  reasons.map((reason) => ({
    errorClass,
    errorType: reason.toUpperCase(),
    metric: {
      name: `${type}_${reason}`,
      standardMetric: 'DELIVERY_ERROR_RATE',
      filter: `error_type = "${type}" AND error_reason = "${reason}"`,
    },
  })),
);

const LOOP_IDS: Metric = { name: 'loops', standardMetric: 'FEEDBACK_LOOP_ID' };

/** Everything that one question asks of a domain. */
export const DAILY_METRICS: readonly Metric[] = [...FIGURES, ...ERROR_METRICS.map(({ metric }) => metric), LOOP_IDS];

const LOOPS_AT_ONCE = 50;
const LOOPS_MAX = 500;

/** The feedback loops that were named, as questions: at most 500 of a domain. An id with quotes cannot be asked for. */
export function loopQuestions(stats: readonly Stat[]): { ids: string[]; metrics: Metric[] }[] {
  const named = new Set(stats.flatMap(({ metric, list }) => (metric === LOOP_IDS.name ? list : [])));
  const ids = [...named].filter((id) => id !== '' && !/["\\]/.test(id)).slice(0, LOOPS_MAX);
  const questions: { ids: string[]; metrics: Metric[] }[] = [];
  for (let from = 0; from < ids.length; from += LOOPS_AT_ONCE) {
    const part = ids.slice(from, from + LOOPS_AT_ONCE);
    const metrics = part.map((id, place) => ({
      name: `loop_${place}`,
      standardMetric: 'FEEDBACK_LOOP_SPAM_RATE',
      filter: `feedback_loop_id = "${id}"`,
    }));
    questions.push({ ids: part, metrics });
  }
  return questions;
}

/** Shares of spam reports of the loops of one question. */
export function loopRecords(domain: string, ids: readonly string[], stats: readonly Stat[]): LoopRecord[] {
  const found = new Map<string, LoopRecord>();
  for (const { metric, day, number } of stats) {
    const id = ids[Number(metric.replace('loop_', ''))];
    if (id !== undefined && number !== undefined) found.set(`${day} ${id}`, { domain, day, id, ratio: number });
  }
  return [...found.values()];
}

/** A record for each day of which there is a figure; a day without one has none. */
export function domainRecords(domain: string, stats: readonly Stat[]): DomainRecord[] {
  const days = new Map<string, DomainRecord>();
  const errors = new Map(ERROR_METRICS.map((one) => [one.metric.name, one]));
  for (const { metric, day, number } of stats) {
    if (number === undefined) continue;
    const record = days.get(day) ?? emptyRecord(domain, day);
    const error = errors.get(metric);
    const figure = FIGURES.find(({ name }) => name === metric);
    if (figure) record[figure.name] = number;
    else if (error) record.errors = withError(record.errors, { ...error, ratio: number });
    else continue;
    days.set(day, record);
  }
  return [...days.values()];
}

/** Errors that nothing met are not listed. */
function withError(errors: readonly DeliveryError[], { errorClass, errorType, ratio }: DeliveryError): DeliveryError[] {
  const others = errors.filter((one) => one.errorClass !== errorClass || one.errorType !== errorType);
  return ratio > 0 ? [...others, { errorClass, errorType, ratio }] : others;
}

/** A day of which nothing is known yet. */
export function emptyRecord(domain: string, day: string): DomainRecord {
  const nothing = { spam: null, spf: null, dkim: null, dmarc: null, encryption: null, error: null };
  return { domain, day, ...nothing, errors: [], delivered: null, reputation: null };
}
