// Filters findings, and groups those of one rule.
import { checkOfRule, type CheckName } from '../../ground/checks.ts';
import { everyPlace } from '../report/every-place.ts';
import type { Finding, Severity } from '../report/report-api.ts';
import { SEVERITY_ORDER } from '../report/severity-order.ts';
import type { FindingsSearch } from './findings-search.ts';

/** A finding with its number among all of a test. */
export interface Numbered {
  number: number;
  check: CheckName;
  finding: Finding;
  /** Another place of the finding before it: counted as a place, not as a finding. */
  isRepeat: boolean;
}

export interface FindingGroup {
  rule: string;
  check: CheckName;
  severity: Severity;
  items: Numbered[];
}

const FAMILIES: [name: string, pattern: RegExp][] = [
  ['Gmail', /^gmail/i],
  ['Outlook', /outlook|^windows mail/i],
  ['Apple Mail', /^apple mail|^iphone|^ipad|^icloud/i],
  ['Yahoo! and AOL', /^yahoo|^aol/i],
  ['Samsung Email', /^samsung/i],
  ['Thunderbird', /thunderbird/i],
  ['ProtonMail', /^proton/i],
];

/** The family of a client by its name. */
export function familyOf(client: string): string {
  return FAMILIES.find(([, pattern]) => pattern.test(client))?.[0] ?? client.replace(/ \(.*$/, '');
}

/** Whether a finding matters in a client or in a family of them; one that names no clients matters in all. */
function affects({ clients }: Finding, wanted: string): boolean {
  return !clients?.length || clients.some((client) => client === wanted || familyOf(client) === wanted);
}

/** Every place of every finding, with its number. */
export function numbered(findings: readonly Finding[]): Numbered[] {
  const places = findings.flatMap((finding) =>
    everyPlace(finding).map((one, place) => ({ finding: one, isRepeat: place > 0 })),
  );
  return places.map((one, number) => ({ ...one, number, check: checkOfRule(one.finding.rule) }));
}

/** How many findings these are, each counted once, whatever its places. */
export function findingsIn(items: readonly Numbered[]): number {
  return items.filter(({ isRepeat }) => !isRepeat).length;
}

/** Filters as the address has them; `severity` aside where it is counted. */
export function filterFindings(all: readonly Numbered[], { severity, check, client }: FindingsSearch): Numbered[] {
  return all.filter(
    (item) =>
      (check === undefined || item.check === check) &&
      (client === undefined || affects(item.finding, client)) &&
      (severity === undefined || item.finding.severity === severity),
  );
}

/** The groups, the worst first; within a severity the rule with the most places. */
export function groupFindings(items: readonly Numbered[]): FindingGroup[] {
  const groups = Map.groupBy(items, ({ finding }) => `${finding.severity} ${finding.rule}`);
  return [...groups.values()]
    .map((members) => ({
      rule: members[0]!.finding.rule,
      check: members[0]!.check,
      severity: members[0]!.finding.severity,
      items: members,
    }))
    .sort((a, b) => SEVERITY_ORDER[a.severity] - SEVERITY_ORDER[b.severity] || b.items.length - a.items.length);
}

const ACRONYMS: Record<string, string> = {
  css: 'CSS',
  html: 'HTML',
  https: 'HTTPS',
  url: 'URL',
  vml: 'VML',
  aria: 'ARIA',
  lang: 'lang',
  dir: 'dir',
  alt: 'alt',
  gif: 'GIF',
};

/** Rules whose names say too little outside of their own check. */
const TITLES: Record<string, string> = {
  'links/target': 'Link without a target',
  'links/reachable': 'Link that cannot be reached',
  'links/not-checked': 'Link that was not followed',
  'links/content': 'What a link leads to',
  'links/host': 'Host of a link',
  'links/fragment': 'Place in a page',
  'links/address': 'Mail address or telephone number',
  'links/tracking': 'Tracking parameters',
  'images/broken': 'Image that cannot be loaded',
  'images/bytes': 'Weight of an image',
  'images/alt': 'Alternative text',
  'images/properties': 'Properties of an image',
  'images/damaged': 'Damaged image',
  'images/format': 'Format of an image',
  'hygiene/lang': 'Language',
  'hygiene/dir': 'Direction of text',
};

/** `accessibility/link-without-target` as `Link without target`. */
export function titleOf(rule: string): string {
  const own = TITLES[rule];
  if (own) return own;
  const words = rule
    .slice(rule.indexOf('/') + 1)
    .split('-')
    .map((word) => ACRONYMS[word] ?? word);
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Clients that findings name, in families, the largest first. */
export function clientFamilies(all: readonly Numbered[]): { family: string; clients: string[] }[] {
  const names = [...new Set(all.flatMap(({ finding }) => finding.clients ?? []))].sort();
  return [...Map.groupBy(names, familyOf)]
    .map(([family, clients]) => ({ family, clients }))
    .sort((a, b) => b.clients.length - a.clients.length);
}
