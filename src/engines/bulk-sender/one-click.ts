// Conformance to RFC 8058, point by point.
import type { BulkSenderInput, LiveUnsubscribe } from './types.ts';

interface OneClickPoint {
  /** `header`, `https`, `post`, `post-value`, `single`, `signed`, `live`. */
  id: string;
  status: 'pass' | 'fail' | 'unknown' | 'not_applicable';
  message: string;
  fix: string | null;
  /** Section of RFC 8058, or of what it stands on. */
  source: string;
}

export interface OneClickReport {
  /** True when nothing fails and what matters is known. */
  conforms: boolean;
  points: OneClickPoint[];
  /** The https address that takes the POST; null when there is none. */
  url: string | null;
  mailto: string | null;
}

/** Addresses of a List-Unsubscribe field, in its order (RFC 2369 §2). */
export function unsubscribeAddresses(value: string): string[] {
  return [...value.matchAll(/<([^<>]{1,4000})>/g)].map((match) => match[1]!.replace(/\s+/g, ''));
}

/** The fields named in h=, of every signature (RFC 6376 §3.5). */
function signedFields({
  headers,
  authentication,
}: BulkSenderInput): { fields: ReadonlySet<string>; isValid: boolean; domain: string }[] {
  const tag = (value: string, name: string) =>
    new RegExp(`(?:^|;)\\s*${name}\\s*=([^;]*)`, 'i').exec(value)?.[1]?.replace(/\s+/g, '') ?? '';
  return headers
    .filter(({ name }) => name.toLowerCase() === 'dkim-signature')
    .map(({ value }) => {
      const [domain, selector] = [tag(value, 'd').toLowerCase(), tag(value, 's').toLowerCase()];
      const verdict = authentication.dkim?.find(
        (one) =>
          one.domain?.toLowerCase() === domain &&
          (one.selector === undefined || one.selector.toLowerCase() === selector),
      );
      return { fields: new Set(tag(value, 'h').toLowerCase().split(':')), isValid: verdict?.result === 'pass', domain };
    });
}

interface Texts {
  pass: string;
  fail: string;
  fix: string;
  source: string;
}

function point(id: string, ok: boolean, { pass, fail, fix, source }: Texts): OneClickPoint {
  return { id, status: ok ? 'pass' : 'fail', message: ok ? pass : fail, fix: ok ? null : fix, source };
}

/** A message has each of these fields once at most. */
function singlePoint(lists: readonly string[], posts: readonly string[]): OneClickPoint {
  const source = 'RFC 2369 §2';
  if (lists.length + posts.length === 0) {
    return { id: 'single', status: 'not_applicable', message: 'There is neither field.', fix: null, source };
  }
  return point('single', lists.length < 2 && posts.length < 2, {
    pass: lists.length && posts.length ? 'Both fields appear once.' : 'No field appears twice.',
    fail: 'List-Unsubscribe or List-Unsubscribe-Post appears more than once.',
    fix: 'Put all addresses into one field.',
    source,
  });
}

/** Checks the header pair, its signature and, when it was made, the live POST. Pure. */
export function checkOneClick(input: BulkSenderInput): OneClickReport {
  const valuesOf = (name: string): string[] =>
    input.headers
      .filter((field) => field.name.toLowerCase() === name)
      .map(({ value }) => value.replace(/\r?\n[ \t]*/g, ' ').trim());
  const lists = valuesOf('list-unsubscribe');
  const posts = valuesOf('list-unsubscribe-post');
  const addresses = unsubscribeAddresses(lists[0] ?? '');
  const url = addresses.find((address) => /^https:\/\//i.test(address) && URL.canParse(address)) ?? null;
  const points = [
    point('header', lists.length > 0 && addresses.length > 0, {
      pass: 'List-Unsubscribe is there.',
      fail: lists.length ? 'List-Unsubscribe has no address in angle brackets.' : 'There is no List-Unsubscribe field.',
      fix: 'Add List-Unsubscribe: <https://…>.',
      source: 'RFC 8058 §3.1, RFC 2369 §3.2',
    }),
    singlePoint(lists, posts),
    point('https', url !== null, {
      pass: `It has an https address: ${url}.`,
      fail: addresses.some((address) => /^http:/i.test(address))
        ? 'Its address is http, not https.'
        : 'It has no https address.',
      fix: 'Add an https address that identifies list and reader by itself.',
      source: 'RFC 8058 §3.1',
    }),
    point('post', posts.length > 0, {
      pass: 'List-Unsubscribe-Post is there.',
      fail: 'There is no List-Unsubscribe-Post field.',
      fix: 'Add List-Unsubscribe-Post: List-Unsubscribe=One-Click.',
      source: 'RFC 8058 §3.1',
    }),
    ...(posts.length
      ? [
          point('post-value', /^List-Unsubscribe=One-Click$/i.test(posts[0]!), {
            pass: 'It says List-Unsubscribe=One-Click.',
            fail: `It says ${JSON.stringify(posts[0]!.slice(0, 80))}.`,
            fix: 'Write exactly List-Unsubscribe=One-Click.',
            source: 'RFC 8058 §3.1',
          }),
        ]
      : []),
    signaturePoint(input, lists.length > 0 && posts.length > 0),
    livePoint(input.liveUnsubscribe),
  ];
  const needed = points.filter(({ id }) => id !== 'live');
  return {
    conforms: needed.every(({ status }) => status === 'pass') && points.at(-1)!.status !== 'fail',
    points,
    url,
    mailto: addresses.find((address) => /^mailto:/i.test(address)) ?? null,
  };
}

/** A signature must cover both fields, or receivers don't trust them. */
function signaturePoint(input: BulkSenderInput, hasPair: boolean): OneClickPoint {
  const said = (status: OneClickPoint['status'], message: string, fix: string | null): OneClickPoint => ({
    id: 'signed',
    status,
    message,
    fix,
    source: 'RFC 8058 §4',
  });
  if (!hasPair) return said('fail', 'There is no pair of fields to sign.', 'Add both fields, then sign them.');
  const fix = 'Add list-unsubscribe and list-unsubscribe-post to the h= tag of the DKIM signature.';
  const signatures = signedFields(input);
  if (!signatures.length) return said('fail', 'The message has no DKIM signature, so nothing covers the fields.', fix);
  const covering = signatures.filter(
    ({ fields }) => fields.has('list-unsubscribe') && fields.has('list-unsubscribe-post'),
  );
  if (!covering.length) {
    const half = signatures.some(({ fields }) => fields.has('list-unsubscribe'));
    return said(
      'fail',
      half
        ? 'The DKIM signature covers List-Unsubscribe, but not List-Unsubscribe-Post.'
        : 'No DKIM signature covers List-Unsubscribe and List-Unsubscribe-Post.',
      fix,
    );
  }
  const { domain } = covering[0]!;
  if (!input.authentication.dkim) {
    return said('unknown', `The signature of ${domain} covers both fields; whether it is valid is not known.`, null);
  }
  const valid = covering.find(({ isValid }) => isValid);
  if (!valid) {
    const message = `The signature of ${domain} covers both fields, but is not valid.`;
    return said('fail', message, 'Mend the signature; see the DKIM verdict.');
  }
  return said('pass', `The valid signature of ${valid.domain} covers both fields.`, null);
}

function livePoint(live: LiveUnsubscribe | undefined): OneClickPoint {
  const source = 'RFC 8058 §3.2';
  if (!live)
    return {
      id: 'live',
      status: 'not_applicable',
      message: 'The address was not tried, because nobody asked for it.',
      fix: null,
      source,
    };
  if (live.outcome === 'accepted') return { id: 'live', status: 'pass', message: live.message, fix: null, source };
  if (live.outcome === 'unreachable')
    return {
      id: 'live',
      status: 'fail',
      message: live.message,
      fix: 'Make the address reachable from the internet, with a trusted certificate.',
      source,
    };
  const fixes = {
    redirected: 'Answer the POST itself with 200 and no Location.',
    page: 'Unsubscribe at once; answer without a page that asks for another click.',
    refused: 'Accept a POST with the body List-Unsubscribe=One-Click, without cookies and without logging in.',
  };
  return { id: 'live', status: 'fail', message: live.message, fix: fixes[live.outcome], source };
}
