// Reports of TLS between mail servers (RFC 8460 §4.4).
import { domainIn, ReportRefusal, shortText } from './refusal.ts';
import type { TlsPolicy, TlsReport } from './types.ts';

export const JSON_BYTES_MAX = 10 * 1024 * 1024;
const POLICIES_MAX = 200;
const FAILURES_MAX = 500;
const HOSTS_MAX = 50;

type Json = Record<string, unknown>;

const objectIn = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function countIn(value: unknown): number {
  const count = Number(typeof value === 'string' || typeof value === 'number' ? value : 0);
  return Number.isSafeInteger(count) && count > 0 ? Math.min(count, 1e12) : 0;
}

function timeIn(value: unknown, name: string): number {
  const seconds = Math.floor(Date.parse(shortText(value, 40)) / 1000);
  if (Number.isNaN(seconds)) throw new ReportRefusal(`date-range names no ${name} in the form of RFC 3339.`);
  return seconds;
}

function policyOf(value: unknown): TlsPolicy {
  const policy = objectIn(objectIn(value)['policy']);
  const summary = objectIn(objectIn(value)['summary']);
  const hosts = Array.isArray(policy['mx-host']) ? policy['mx-host'] : [policy['mx-host'] ?? []].flat();
  return {
    type: shortText(policy['policy-type'], 40).toLowerCase(),
    domain: domainIn(policy['policy-domain']),
    mxHosts: hosts.slice(0, HOSTS_MAX).map((host) => shortText(host, 255)),
    successful: countIn(summary['total-successful-session-count']),
    failed: countIn(summary['total-failure-session-count']),
    failures: listIn(objectIn(value)['failure-details'])
      .slice(0, FAILURES_MAX)
      .map(objectIn)
      .map((failure) => ({
        type: shortText(failure['result-type'], 60).toLowerCase(),
        count: countIn(failure['failed-session-count']),
        sendingIp: shortText(failure['sending-mta-ip'], 60),
        receivingHost: shortText(failure['receiving-mx-hostname'], 255),
        receivingIp: shortText(failure['receiving-ip'], 60),
        reason: shortText(failure['failure-reason-code']),
      })),
  };
}

/** Throws {@link ReportRefusal}. */
export function readTlsReport(text: string): TlsReport {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new ReportRefusal('It is no JSON that can be read.');
  }
  const json = objectIn(parsed);
  const range = objectIn(json['date-range']);
  const policies = listIn(json['policies']);
  const reportId = shortText(json['report-id']);
  const organization = shortText(json['organization-name']);
  if (reportId === '' || policies.length === 0)
    throw new ReportRefusal('It is no TLS report: that has report-id and policies (RFC 8460).');
  if (policies.length > POLICIES_MAX)
    throw new ReportRefusal(`It has more than ${POLICIES_MAX} policies, which is as many as are read.`);
  return {
    kind: 'tls',
    organization,
    contact: shortText(json['contact-info']),
    reportId,
    begin: timeIn(range['start-datetime'], 'start-datetime'),
    end: timeIn(range['end-datetime'], 'end-datetime'),
    policies: policies.map(policyOf),
  };
}
