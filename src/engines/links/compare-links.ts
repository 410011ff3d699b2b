// Compares the links of a test with a spreadsheet of expected links.
import type { ExpectedLink } from './expected-links.ts';
import { shortUrl } from './link-class.ts';

/** One link as the test found it. */
export interface ActualLink {
  url: string;
  text?: string;
  /** Statuses of all answers on the way, in order; empty when there was none. */
  statuses: readonly number[];
  finalUrl?: string;
  line?: number;
}

type DifferenceKind = 'missing' | 'other_url' | 'unexpected' | 'status' | 'final_url' | 'text' | 'more';

export interface Difference {
  /** Of the spreadsheet, from 1; 0 for a link that the spreadsheet does not have. */
  row: number;
  message: string;
  alert: { type: DifferenceKind; expected: string | null; actual: string | null; line?: number };
}

/** More differences than this are counted, not listed. */
const DIFFERENCES_MAX = 5_000;

/**
 * Compares row by row. Each link of the test answers for one row at most: first those that agree in URL and text, then
 * those with the same URL, then those with the same text. An expected status may be that of the first answer or of the
 * last (`301`, `2xx`, `ok`). What the file does not have is named once per address.
 */
export function compareLinks(expected: readonly ExpectedLink[], actual: readonly ActualLink[]): Difference[] {
  const pairs = match(expected, actual);
  const differences: Difference[] = [];
  for (const one of expected) differences.push(...differencesOf(one, pairs.get(one)));
  const taken = new Set(pairs.values());
  // A link that stands several times, such as once more for Outlook, is expected when its address is.
  const known = new Set(expected.map(({ url }) => comparable(url)));
  for (const link of actual) {
    const address = comparable(link.url);
    if (taken.has(link) || known.has(address)) continue;
    known.add(address);
    const said = link.text ? ` (“${link.text.slice(0, 60)}”)` : '';
    differences.push({
      row: 0,
      message: `${shortUrl(link.url)}${said} is in the test, but not in the file.`,
      alert: alertOf('unexpected', { actual: link.url }, link),
    });
  }
  const more = differences.length - DIFFERENCES_MAX;
  if (more <= 0) return differences;
  return [
    ...differences.slice(0, DIFFERENCES_MAX),
    { row: 0, message: `There are ${more} more differences.`, alert: alertOf('more', {}) },
  ];
}

function alertOf(
  type: DifferenceKind,
  values: { expected?: string; actual?: string },
  link?: ActualLink,
): Difference['alert'] {
  return {
    type,
    expected: values.expected ?? null,
    actual: values.actual ?? null,
    ...(link?.line !== undefined && { line: link.line }),
  };
}

/** Which link answers for which row. */
function match(expected: readonly ExpectedLink[], actual: readonly ActualLink[]): Map<ExpectedLink, ActualLink> {
  const pairs = new Map<ExpectedLink, ActualLink>();
  const taken = new Set<ActualLink>();
  const keysOf: { of: (link: ExpectedLink | ActualLink) => string | undefined }[] = [
    { of: ({ url, text }) => (text ? `${comparable(url)} ${words(text)}` : undefined) },
    { of: ({ url }) => comparable(url) },
    { of: ({ text }) => (text ? words(text) : undefined) },
  ];
  for (const { of } of keysOf) {
    const free = new Map<string, ActualLink[]>();
    for (const link of actual.toReversed()) {
      const key = taken.has(link) ? undefined : of(link);
      if (key === undefined) continue;
      const same = free.get(key);
      if (same) same.push(link);
      else free.set(key, [link]);
    }
    for (const one of expected) {
      const key = pairs.has(one) ? undefined : of(one);
      const link = key === undefined ? undefined : free.get(key)?.pop();
      if (!link) continue;
      pairs.set(one, link);
      taken.add(link);
    }
  }
  return pairs;
}

/** The URL as browsers write it, so that case of the host, encoding and a missing slash make no difference. */
function comparable(url: string): string {
  const text = url.trim();
  const whole = /^www\./i.test(text) ? `http://${text}` : text;
  return URL.canParse(whole) ? new URL(whole).href : text;
}

function words(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

function differencesOf(one: ExpectedLink, link: ActualLink | undefined): Difference[] {
  const { row } = one;
  if (!link)
    return [
      { row, message: `${shortUrl(one.url)} is not in the test.`, alert: alertOf('missing', { expected: one.url }) },
    ];
  if (comparable(one.url) !== comparable(link.url)) {
    return [
      {
        row,
        message: `“${one.text?.slice(0, 60)}” should lead to ${shortUrl(one.url)}, but leads to ${shortUrl(link.url)}.`,
        alert: alertOf('other_url', { expected: one.url, actual: link.url }, link),
      },
    ];
  }
  const found: Difference[] = [];
  const status = differenceInStatus(one.status, link.statuses);
  if (status)
    found.push({
      row,
      message: `${shortUrl(one.url)} ${status}.`,
      alert: alertOf(
        'status',
        { expected: one.status!, ...(link.statuses.length > 0 && { actual: String(link.statuses.at(-1)) }) },
        link,
      ),
    });
  if (
    one.finalUrl !== undefined &&
    (link.finalUrl === undefined || comparable(withoutHash(one.finalUrl)) !== comparable(withoutHash(link.finalUrl)))
  ) {
    found.push({
      row,
      message:
        `${shortUrl(one.url)} should end at ${shortUrl(one.finalUrl)}, but ` +
        `${link.finalUrl === undefined ? 'was not followed' : `ends at ${shortUrl(link.finalUrl)}`}.`,
      alert: alertOf(
        'final_url',
        { expected: one.finalUrl, ...(link.finalUrl !== undefined && { actual: link.finalUrl }) },
        link,
      ),
    });
  }
  if (one.text !== undefined && link.text !== undefined && words(one.text) !== words(link.text)) {
    found.push({
      row,
      message: `The text of ${shortUrl(one.url)} should be “${one.text.slice(0, 60)}”, but is “${link.text.slice(0, 60)}”.`,
      alert: alertOf('text', { expected: one.text, actual: link.text }, link),
    });
  }
  return found;
}

function withoutHash(url: string): string {
  return url.replace(/#.*$/s, '');
}

/** What is wrong with the status, as the rest of a sentence. */
function differenceInStatus(wanted: string | undefined, statuses: readonly number[]): string | undefined {
  if (wanted === undefined) return undefined;
  const text = wanted.toLowerCase().replace(/\.0+$/, '');
  const isOk = (status: number) => status >= 200 && status < 300;
  const got = statuses.length > 0 ? `answers with ${statuses.join(' → ')}` : 'gave no answer';
  if (/^[1-9]\d\d$/.test(text))
    return [statuses[0], statuses.at(-1)].includes(Number(text)) ? undefined : `should answer with ${text}, but ${got}`;
  const group = /^([1-5])xx$/.exec(text)?.[1];
  if (group)
    return [statuses[0], statuses.at(-1)].some(
      (status) => status !== undefined && Math.floor(status / 100) === Number(group),
    )
      ? undefined
      : `should answer with ${text}, but ${got}`;
  const last = statuses.at(-1);
  if (/^(?:ok|live|valid|working|pass|good|200 ok)$/.test(text))
    return last !== undefined && isOk(last) ? undefined : `should work, but ${got}`;
  if (/^(?:broken|dead|error|fail|invalid)$/.test(text))
    return last === undefined || last >= 400 ? undefined : `should be broken, but ${got}`;
  return `has the expected status “${wanted.slice(0, 40)}”, which is no status`;
}
