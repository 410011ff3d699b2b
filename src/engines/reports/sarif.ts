// SARIF 2.1.0 (OASIS standard, 27 March 2020), as code scanning services read it.
import { createHash } from 'node:crypto';
import type { Place, Severity } from '../findings/index.ts';
import { worstFirst } from './ordering.ts';
import { jsonText } from './plain-text.ts';
import type { CheckReport, EmailReport, Report, ReportedFinding } from './types.ts';

const LEVELS: Record<Severity, 'error' | 'warning' | 'note' | 'none'> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
  pass: 'none',
};
const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json';
const RESULTS_MAX = 5_000;

/** `image-alt` → `Image alt`. */
function titleOf(rule: string): string {
  const words = (rule.split('/').at(-1) ?? rule).replaceAll(/[-_]+/g, ' ').trim();
  return words ? words.charAt(0).toUpperCase() + words.slice(1) : rule;
}

function ruleOf(id: string, findings: readonly ReportedFinding[]) {
  const first = findings[0] as ReportedFinding;
  const uri = /https:\/\/[^\s)]+/.exec(findings.find(({ source }) => source?.includes('https://'))?.source ?? '')?.[0];
  const fix = findings.find((finding) => finding.fix)?.fix;
  const source = findings.find((finding) => finding.source)?.source;
  return {
    id,
    name: titleOf(id).replaceAll(
      /[^\p{L}\p{N}]+(\p{L})?/gu,
      (_all, letter: string | undefined) => letter?.toUpperCase() ?? '',
    ),
    shortDescription: { text: titleOf(id) },
    ...(source && { fullDescription: { text: `${titleOf(id)}. ${source}` } }),
    ...(fix && { help: { text: fix } }),
    ...(uri && URL.canParse(uri) && { helpUri: new URL(uri).href }),
    defaultConfiguration: { level: LEVELS[first.severity] },
    properties: { tags: [id.split('/')[0] ?? id] },
  };
}

function artifactUri(email: string): string {
  if (/^https?:/.test(email) && URL.canParse(email)) return new URL(email).href;
  return email
    .split('/')
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join('/');
}

/** Columns count UTF-16 units, as `columnKind` says. What is about the message as a whole stands at its first line. */
function regionOf(where: Place | undefined) {
  if (where?.line === undefined || where.line < 1) return { startLine: 1 };
  return {
    startLine: where.line,
    ...(where.column !== undefined && where.column >= 1 && { startColumn: where.column }),
    ...(where.snippet && { snippet: { text: where.snippet } }),
  };
}

/** Equal for the same problem wherever it moves to; the second of two equal problems gets a different value. */
function fingerprints(seen: Map<string, number>, email: string, finding: ReportedFinding): Record<string, string> {
  const { rule, where, message } = finding;
  const what = JSON.stringify([email, rule, where?.snippet ?? message.replaceAll(/\d+/g, '#')]);
  const nth = seen.get(what) ?? 0;
  seen.set(what, nth + 1);
  return { 'galleyFinding/v1': createHash('sha256').update(`${what} ${nth}`).digest('hex').slice(0, 32) };
}

function locationOf(email: string, place: Place | undefined) {
  return {
    physicalLocation: { artifactLocation: { uri: artifactUri(place?.file ?? email) }, region: regionOf(place) },
    ...(place?.selector && { logicalLocations: [{ fullyQualifiedName: place.selector, kind: 'element' }] }),
  };
}

function resultOf(email: string, finding: ReportedFinding, shared: { ruleIndex: number; seen: Map<string, number> }) {
  const {
    rule,
    severity,
    message,
    where,
    places = [where],
    count,
    fix,
    source,
    clients,
    details,
    fails,
    ignored,
  } = finding;
  return {
    ruleId: rule,
    ruleIndex: shared.ruleIndex,
    level: LEVELS[severity],
    message: { text: fix ? `${message} ${fix}` : message },
    // Several where the fault is gone only when it is mended in each (§3.27.12).
    locations: places.map((place) => locationOf(email, place)),
    ...(count !== undefined && { occurrenceCount: count }),
    partialFingerprints: fingerprints(shared.seen, email, finding),
    ...(ignored !== undefined && { suppressions: [{ kind: 'external', justification: ignored }] }),
    properties: { fails, ...(source && { source }), ...(clients?.length && { clients }), ...(details && { details }) },
  };
}

function notificationsOf({ email, checks, verdict }: EmailReport) {
  const failed = checks
    .filter(({ status }) => status === 'failed')
    .map(({ check, title, error }: CheckReport) => ({
      descriptor: { id: `${check}/could-not-run` },
      level: 'error',
      message: { text: `${title} could not run: ${error ?? 'no reason was given.'}` },
      locations: [{ physicalLocation: { artifactLocation: { uri: artifactUri(email) } } }],
    }));
  const reasons = (verdict?.reasons ?? []).map((reason) => ({
    descriptor: { id: 'policy/reason' },
    level: 'note',
    message: { text: `${email}: ${reason}` },
  }));
  return { failed, reasons };
}

/** What passes is no result: services would show it as an alert. Ignored findings are suppressed results. */
export function writeSarif({ tool, emails }: Report): string {
  const reported = emails.flatMap(({ email, checks }) =>
    worstFirst(checks.flatMap(({ findings }) => findings))
      .filter(({ severity }) => severity !== 'pass')
      .map((finding) => ({ email, finding })),
  );
  const rules = [
    ...Map.groupBy(
      reported.map(({ finding }) => finding),
      ({ rule }) => rule,
    ),
  ];
  const indexes = new Map(rules.map(([id], index) => [id, index]));
  const seen = new Map<string, number>();
  const failed = emails.flatMap((email) => notificationsOf(email).failed);
  const cut =
    reported.length > RESULTS_MAX
      ? [
          {
            descriptor: { id: 'report/cut' },
            level: 'warning',
            message: { text: `${reported.length - RESULTS_MAX} further findings were left out.` },
          },
        ]
      : [];
  return jsonText({
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: tool.name,
            semanticVersion: tool.version,
            rules: rules.map(([id, findings]) => ruleOf(id, findings)),
          },
        },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: failed.length === 0,
            toolExecutionNotifications: [
              ...failed,
              ...cut,
              ...emails.flatMap((email) => notificationsOf(email).reasons),
            ],
          },
        ],
        artifacts: emails.map(({ email }) => ({ location: { uri: artifactUri(email) } })),
        results: reported
          .slice(0, RESULTS_MAX)
          .map(({ email, finding }) => resultOf(email, finding, { ruleIndex: indexes.get(finding.rule) ?? 0, seen })),
      },
    ],
  });
}
