// What a link says about itself, before it is followed: whether it can lead anywhere at all.
import { mergeTagIn } from '../merge-tags/index.ts';
import { classOf, shortUrl, type LinkClass } from './link-class.ts';
import { judgeMailto } from './mailto.ts';
import { judgePhone } from './phone-uri.ts';
import type { LinkSubject, Verdict } from './types.ts';

type Rule = (subject: LinkSubject) => Verdict | undefined;

const byClass: Record<LinkClass, Rule> = {
  empty: () => ({
    rule: 'target',
    severity: 'error',
    impact: 'serious',
    message: 'The link has no address.',
    fix: 'Add the URL, or remove the link.',
  }),
  anchor: judgeAnchor,
  script: ({ url }) => ({
    rule: 'target',
    severity: 'error',
    impact: 'critical',
    message: `${shortUrl(url)} is a script; every mail client removes it.`,
    fix: 'Link to a page.',
  }),
  'merge-tag': ({ url }) => ({
    rule: 'merge-tag',
    severity: 'info',
    impact: 'minor',
    message: `Not checked: merge tag ${mergeTagIn(url)} in ${shortUrl(url)}.`,
    fix: 'Check the email with data, as a recipient gets it.',
    details: [{ tag: mergeTagIn(url) }],
  }),
  mailto: ({ url }) => judgeMailto(url),
  phone: ({ url }) => judgePhone(url),
  web: () => undefined,
  relative: judgeRelative,
  local: ({ url }) => ({
    rule: 'target',
    severity: 'error',
    impact: 'critical',
    message: `${shortUrl(url)} cannot be opened from a message.`,
    fix: 'Put the file on a web site and link to it there.',
  }),
  app: ({ url }) => ({
    rule: 'target',
    severity: 'info',
    impact: 'minor',
    message:
      `${shortUrl(url)} opens an app; where that is not installed nothing happens, and many mail ` +
      'clients remove such links.',
    fix: 'Link to an https address that leads into the app.',
  }),
  invalid: ({ url }) => ({
    rule: 'target',
    severity: 'error',
    impact: 'critical',
    message: `${shortUrl(url)} is not a web address.`,
    fix: 'Correct the address.',
  }),
};

export const judgeTarget: Rule = (subject) =>
  subject.relative ? judgeCompleted(subject.relative) : byClass[classOf(subject.url)](subject);

/** It could be followed here; whoever gets the message may have nothing to complete it by. */
function judgeCompleted({ written, completedBy }: NonNullable<LinkSubject['relative']>): Verdict {
  const by =
    completedBy === 'page'
      ? 'completed here by the address of the page: sent as a message, it leads nowhere'
      : 'which the message’s base element completes, and not every client honors that';
  return {
    rule: 'target',
    severity: 'warning',
    impact: 'serious',
    message: `${shortUrl(written)} is relative, ${by}.`,
    fix: 'Use an absolute URL, starting with https://.',
  };
}

function judgeAnchor({ url, isAnchorThere }: LinkSubject): Verdict {
  if (url.trim() === '#')
    return {
      rule: 'target',
      severity: 'error',
      impact: 'serious',
      message: 'The link leads to “#”, a placeholder.',
      fix: 'Add the URL, or remove the link.',
    };
  if (isAnchorThere === false)
    return {
      rule: 'target',
      severity: 'error',
      impact: 'serious',
      message: `The link leads to ${shortUrl(url)}, an anchor that the message does not have.`,
      fix: 'Give the target element that id.',
    };
  return {
    rule: 'target',
    severity: 'warning',
    impact: 'moderate',
    message:
      `The link leads to ${shortUrl(url)} in the message itself, which the Gmail app and ` +
      'Outlook on phones do not follow.',
    fix: 'Do not rely on it.',
  };
}

function judgeRelative({ url }: LinkSubject): Verdict {
  if (/^www\.|^[\w-]+(?:\.[\w-]+)+(?:[:/?]|$)/i.test(url.trim()))
    return {
      rule: 'target',
      severity: 'error',
      impact: 'critical',
      message: `${shortUrl(url)} lacks https:// in front, so it does not work.`,
      fix: `Write https://${shortUrl(url.trim())}.`,
    };
  return {
    rule: 'target',
    severity: 'error',
    impact: 'critical',
    message: `${shortUrl(url)} is relative, and a message has no address that it could be relative to.`,
    fix: 'Use an absolute URL, starting with https://.',
  };
}

/** Things that browsers mend silently and mail clients, or click trackers, do not. */
const FAULTS: readonly [pattern: RegExp, message: string, fix: string][] = [
  [/^https?:\/\/https?:?\/\//i, 'has its scheme twice', 'Write https:// once.'],
  [/[^\S ]/, 'is broken over lines', 'Write it in one line.'],
  [/ /, 'holds a space', 'Write %20 for a space.'],
  [/\\/, 'holds a backslash', 'Write a slash.'],
  [/^https?:(?!\/\/)/i, 'lacks a slash after its scheme', 'Write https://.'],
  [/[?&]amp;/i, 'holds an ampersand that was encoded twice', 'Write &amp; once in HTML.'],
  [/[<>"{}|^`]/, 'holds characters that no URL may hold', 'Percent-encode them.'],
  [/%(?![0-9a-f]{2})/i, 'holds a percent sign that encodes nothing', 'Write %25 for a percent sign.'],
];
/** Outlook on Windows and older gateways cut longer ones. */
const LENGTH_MAX = 2_000;

export function judgeSyntax({ url }: LinkSubject): Verdict | undefined {
  const text = url.trim();
  const fault = FAULTS.find(([pattern]) => pattern.test(text));
  if (fault)
    return {
      rule: 'url-syntax',
      severity: 'warning',
      impact: 'moderate',
      message: `${shortUrl(text)} ${fault[1]}.`,
      fix: fault[2],
      source: 'RFC 3986',
    };
  if (text.length <= LENGTH_MAX) return undefined;
  return {
    rule: 'url-syntax',
    severity: 'warning',
    impact: 'moderate',
    message: `The address has ${text.length} characters; Outlook and some gateways cut it at about ${LENGTH_MAX}.`,
    fix: 'Shorten its parameters.',
  };
}
