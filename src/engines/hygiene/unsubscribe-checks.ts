// List-Unsubscribe (RFC 2369 §3.2) and its one-click form (RFC 8058), which Gmail and Yahoo ask of bulk senders.

import type { Finding } from '../findings/index.ts';
import { beginsWithMergeTag, mergeTagIn } from '../merge-tags/index.ts';
import type { MessageUnderCheck } from '../source/index.ts';

const ONE_CLICK = 'RFC 8058; Gmail and Yahoo require it of bulk senders since June 2024';

function fields({ headers }: MessageUnderCheck, name: string): string[] {
  return (headers ?? [])
    .filter((field) => field.name.toLowerCase() === name)
    .map(({ value }) => value.replace(/\s+/g, ' ').trim());
}

export function checkUnsubscribe(mail: MessageUnderCheck): Finding[] {
  if (!mail.headers) return [];
  const [list, ...more] = fields(mail, 'list-unsubscribe');
  const posts = fields(mail, 'list-unsubscribe-post');
  if (list === undefined) {
    return [
      finding('warning', {
        message: posts.length
          ? 'List-Unsubscribe-Post has no effect without List-Unsubscribe.'
          : 'There is no List-Unsubscribe: clients show no unsubscribe button, and readers press “spam” instead.',
        fix:
          'Add List-Unsubscribe: <https://…> and List-Unsubscribe-Post: List-Unsubscribe=One-Click, unless ' +
          'this message is no mailing.',
      }),
    ];
  }
  const findings: Finding[] = [];
  if (more.length)
    findings.push(
      finding('warning', {
        message: 'There are several List-Unsubscribe fields; RFC 2369 allows one.',
        fix: 'Put all addresses into one field.',
        source: 'RFC 2369 §2',
      }),
    );
  const addresses = [...list.matchAll(/<([^<>]*)>/g)].map((match) => match[1]!.trim());
  if (!addresses.length) {
    findings.push(
      finding('error', {
        message: 'List-Unsubscribe has no address in angle brackets, so clients ignore it.',
        fix: 'Write <https://…>, with the brackets.',
        source: 'RFC 2369 §2',
      }),
    );
    return findings;
  }
  findings.push(
    ...addresses
      .filter((address) => !/^(?:https?:\/\/\S+|mailto:\S+@\S+)$/i.test(address) && mergeTagIn(address) === undefined)
      .map((address) =>
        finding('error', {
          message: `List-Unsubscribe holds ${JSON.stringify(address)}, which is not an address that clients can use.`,
          fix: 'Write an https: or mailto: address.',
          source: 'RFC 2369 §3.2',
        }),
      ),
  );
  return [...findings, ...checkOneClick(mail, addresses, posts), ...checkSigned(mail, posts)];
}

function checkOneClick(mail: MessageUnderCheck, addresses: readonly string[], posts: readonly string[]): Finding[] {
  // What begins with a merge tag may become one.
  const hasHttps = addresses.some((address) => /^https:/i.test(address) || beginsWithMergeTag(address));
  if (!posts.length) {
    return [
      finding('warning', {
        message: hasHttps
          ? 'List-Unsubscribe is not one-click: List-Unsubscribe-Post is missing.'
          : 'List-Unsubscribe is not one-click: it has no https: address and no List-Unsubscribe-Post.',
        fix: 'Add an https: address that takes a POST, and List-Unsubscribe-Post: List-Unsubscribe=One-Click.',
        source: ONE_CLICK,
      }),
    ];
  }
  if (posts.length > 1 || !/^List-Unsubscribe=One-Click$/i.test(posts[0]!)) {
    return [
      finding('error', {
        message: `List-Unsubscribe-Post says ${JSON.stringify(posts.join(', '))}.`,
        fix: 'Write exactly List-Unsubscribe=One-Click.',
        source: 'RFC 8058 §3.1',
      }),
    ];
  }
  if (!hasHttps)
    return [
      finding('error', {
        message: 'One-click unsubscribing needs an https: address, and List-Unsubscribe has none.',
        fix: 'Add one that takes a POST.',
        source: 'RFC 8058 §3.1',
      }),
    ];
  return [];
}

/** The signature must cover both fields, or receivers don't trust them (RFC 8058 §4). */
function checkSigned(mail: MessageUnderCheck, posts: readonly string[]): Finding[] {
  const signatures = fields(mail, 'dkim-signature');
  if (!signatures.length || !posts.length) return [];
  const covers = (signature: string) => {
    const signed = (/(?:^|;)\s*h\s*=([^;]*)/i.exec(signature)?.[1] ?? '')
      .toLowerCase()
      .split(':')
      .map((name) => name.trim());
    return signed.includes('list-unsubscribe') && signed.includes('list-unsubscribe-post');
  };
  if (signatures.some(covers)) return [];
  return [
    finding('error', {
      message:
        'No DKIM signature covers both List-Unsubscribe and List-Unsubscribe-Post: Gmail shows no unsubscribe button.',
      fix: 'Add both names to the h= tag of the signature.',
      source: 'RFC 8058 §4',
    }),
  ];
}

function finding(severity: Finding['severity'], rest: { message: string; fix: string; source?: string }): Finding {
  return { rule: 'hygiene/list-unsubscribe', severity, source: ONE_CLICK, ...rest };
}

export function unsubscribePassed({ headers }: MessageUnderCheck): string | undefined {
  return headers ? 'List-Unsubscribe is there, and one click is enough.' : undefined;
}
