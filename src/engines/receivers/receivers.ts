// The kinds of receivers, as data. They are modelled on what public documents of receivers say, and stand for no brand:
// Gmail, Yahoo and Outlook.com sender guidelines, M3AAWG best practices, the defaults of SpamAssassin, Rspamd and Postfix.
import type { AuthRule, Receiver, TabRule } from './types.ts';

const REFUSED_ENDINGS = ['exe', 'scr', 'com', 'bat', 'cmd', 'pif', 'vbs', 'js', 'jse', 'wsf', 'hta', 'msi', 'cpl', 'jar', 'ps1', 'lnk', 'iso', 'vhd', 'dll', 'chm'];
const MIB = 1024 * 1024;

/** What the large consumer providers ask since February 2024 (one of them since May 2025). */
const LARGE_PROVIDER: readonly AuthRule[] = [
  { when: 'dmarc-fail-reject', action: 'reject' },
  { when: 'dmarc-fail-quarantine', action: 'spam' },
  { when: 'bulk-unauthenticated', action: 'points', points: 6 },
  { when: 'no-authentication', action: 'points', points: 6 },
  { when: 'dmarc-fail-none', action: 'points', points: 3 },
  { when: 'spf-fail', action: 'points', points: 2 },
  { when: 'spf-softfail', action: 'points', points: 1 },
  { when: 'dkim-fail', action: 'points', points: 1.5 },
  { when: 'dkim-none', action: 'points', points: 1 },
  { when: 'dmarc-none', action: 'points', points: 1 },
  { when: 'no-reverse-dns', action: 'points', points: 3 },
  { when: 'no-tls', action: 'points', points: 1 },
  { when: 'dmarc-pass', action: 'points', points: -1 },
  { when: 'bimi-pass', action: 'points', points: -0.5 },
];

const FOUR_TABS: readonly TabRule[] = [
  { category: 'social', signals: { 'social-words': 3, 'no-reply-sender': 1, 'list-unsubscribe': 1, 'commercial-words': -2 }, least: 4 },
  { category: 'forums', signals: { 'list-post': 4, 'list-id': 1, 'precedence-bulk': 1, reply: 1, 'commercial-words': -2 }, least: 5 },
  { category: 'promotions', signals: { 'commercial-words': 3, 'list-unsubscribe': 2, 'image-heavy': 1, 'many-links': 1, 'feedback-id': 1, 'precedence-bulk': 1, 'transaction-words': -3 }, least: 4 },
  { category: 'updates', signals: { 'transaction-words': 3, 'no-reply-sender': 1, 'list-unsubscribe': 2, 'auto-submitted': 1, 'feedback-id': 1, 'list-id': 1 }, least: 3 },
];

const OTHER_TAB: readonly TabRule[] = [{ category: 'other', signals: { 'list-unsubscribe': 3, 'commercial-words': 2, 'precedence-bulk': 1, 'feedback-id': 1, 'no-reply-sender': 1, 'transaction-words': -1, reply: -2 }, least: 3 }];

const B2C: readonly Receiver[] = [
  {
    id: 'webmail', domain: 'webmail.local-receiver.example', displayName: 'Consumer webmail with tabs', category: 'b2c', region: 'Global',
    about: 'Large consumer webmail: the bulk sender rules in full, sorts mailings into tabs.',
    authentication: LARGE_PROVIDER,
    filterWeights: { spamassassin: 0.5, rspamd: 1, 'built-in': 0.8 }, groupWeights: { bulk: 1.5, links: 1.2, headers: 0.9 },
    thresholds: { spam: 10, reject: 25 }, refusedExtensions: REFUSED_ENDINGS, sizeBytesMax: 25 * MIB, tabs: FOUR_TABS, greylisting: null,
  },
  {
    id: 'mailbox', domain: 'mailbox.local-receiver.example', displayName: 'Consumer mailbox, strict on authentication', category: 'b2c', region: 'Global',
    about: 'Large consumer mailbox that refuses what fails DMARC and shows mailings apart.',
    authentication: [{ when: 'dmarc-fail-reject', action: 'reject' }, { when: 'dmarc-fail-quarantine', action: 'reject' }, { when: 'bulk-unauthenticated', action: 'spam' }, ...LARGE_PROVIDER.slice(3)],
    filterWeights: { spamassassin: 0.7, rspamd: 0.9, 'built-in': 0.8 }, groupWeights: { bulk: 1.3, images: 1.2 },
    thresholds: { spam: 9, reject: 22 }, refusedExtensions: REFUSED_ENDINGS, sizeBytesMax: 20 * MIB, tabs: OTHER_TAB, greylisting: null,
  },
  {
    id: 'portal', domain: 'portal.local-receiver.example', displayName: 'Web portal with a newsletter folder', category: 'b2c', region: 'EU',
    about: 'Mail of a web portal: insists on reverse DNS, keeps newsletters in a folder of their own.',
    authentication: [{ when: 'dmarc-fail-reject', action: 'reject' }, { when: 'no-reverse-dns', action: 'reject' }, { when: 'dmarc-fail-quarantine', action: 'spam' }, { when: 'spf-fail', action: 'points', points: 4 }, { when: 'no-authentication', action: 'points', points: 4 }, { when: 'dkim-fail', action: 'points', points: 1 }, { when: 'no-tls', action: 'points', points: 0.5 }],
    filterWeights: { spamassassin: 1, rspamd: 0.8, 'built-in': 0.8 }, groupWeights: { bulk: 1.2 },
    thresholds: { spam: 10, reject: 30 }, refusedExtensions: REFUSED_ENDINGS, sizeBytesMax: 50 * MIB,
    tabs: [{ category: 'newsletters', signals: { 'list-unsubscribe': 2, 'list-id': 1, 'commercial-words': 1, 'precedence-bulk': 1, 'transaction-words': -2 }, least: 2 }], greylisting: null,
  },
  {
    id: 'isp', domain: 'isp.local-receiver.example', displayName: 'Small internet provider', category: 'b2c', region: 'Global',
    about: 'Mail of a small internet provider: content filter above all, puts off what looks doubtful, no tabs.',
    authentication: [{ when: 'spf-fail', action: 'points', points: 4 }, { when: 'spf-softfail', action: 'points', points: 1.5 }, { when: 'dmarc-fail-reject', action: 'spam' }, { when: 'dmarc-fail-quarantine', action: 'points', points: 5 }, { when: 'no-reverse-dns', action: 'points', points: 4 }, { when: 'no-authentication', action: 'points', points: 2 }],
    filterWeights: { spamassassin: 1, rspamd: 0.4, 'built-in': 0.8 }, groupWeights: { content: 1.3, bulk: 0.5 },
    thresholds: { spam: 10, reject: 30 }, refusedExtensions: REFUSED_ENDINGS.slice(0, 8), sizeBytesMax: 20 * MIB, tabs: [], greylisting: { attempts: 1, retryAfterSeconds: 5, fromScore: 5 },
  },
  {
    id: 'private-mail', domain: 'private-mail.local-receiver.example', displayName: 'Privacy-minded mailbox', category: 'b2c', region: 'EU',
    about: 'Paid mailbox that looks at authentication and form rather than at words, and dislikes trackers.',
    authentication: [{ when: 'dmarc-fail-reject', action: 'reject' }, { when: 'dmarc-fail-quarantine', action: 'spam' }, { when: 'no-authentication', action: 'points', points: 6 }, { when: 'dkim-none', action: 'points', points: 1.5 }, { when: 'dkim-fail', action: 'points', points: 2 }, { when: 'spf-fail', action: 'points', points: 3 }, { when: 'no-tls', action: 'points', points: 3 }, { when: 'no-reverse-dns', action: 'points', points: 2 }],
    filterWeights: { spamassassin: 0.4, rspamd: 1, 'built-in': 0.6 }, groupWeights: { content: 0.7, images: 1.4, html: 1.3 },
    thresholds: { spam: 10, reject: null }, refusedExtensions: [], sizeBytesMax: 25 * MIB, tabs: [], greylisting: null,
  },
];

const B2B: readonly Receiver[] = [
  {
    id: 'office-suite', domain: 'office-suite.local-receiver.example', displayName: 'Hosted office suite', category: 'b2b', region: 'Global',
    about: 'Company mail in a hosted office suite: verdicts of all checks together, mailings apart from the focused inbox.',
    authentication: [{ when: 'dmarc-fail-reject', action: 'reject' }, { when: 'dmarc-fail-quarantine', action: 'spam' }, { when: 'dmarc-fail-none', action: 'points', points: 4 }, { when: 'no-authentication', action: 'points', points: 6 }, { when: 'spf-fail', action: 'points', points: 3 }, { when: 'spf-softfail', action: 'points', points: 1.5 }, { when: 'dkim-fail', action: 'points', points: 2 }, { when: 'dmarc-none', action: 'points', points: 1 }, { when: 'no-reverse-dns', action: 'points', points: 3 }, { when: 'dmarc-pass', action: 'points', points: -1 }],
    filterWeights: { spamassassin: 0.7, rspamd: 1, 'built-in': 1 }, groupWeights: { links: 1.4, attachments: 1.3, bulk: 1.1 },
    thresholds: { spam: 9, reject: 25 }, refusedExtensions: REFUSED_ENDINGS, sizeBytesMax: 35 * MIB, tabs: OTHER_TAB, greylisting: null,
  },
  {
    id: 'gateway', domain: 'gateway.local-receiver.example', displayName: 'Strict corporate gateway', category: 'b2b', region: 'Global',
    about: 'A gateway before a large company: refuses rather than files, distrusts links, attachments and mailings.',
    authentication: [{ when: 'dmarc-fail-reject', action: 'reject' }, { when: 'dmarc-fail-quarantine', action: 'reject' }, { when: 'no-reverse-dns', action: 'reject' }, { when: 'spf-fail', action: 'reject' }, { when: 'dmarc-fail-none', action: 'spam' }, { when: 'no-authentication', action: 'spam' }, { when: 'spf-softfail', action: 'points', points: 3 }, { when: 'spf-error', action: 'points', points: 2 }, { when: 'dkim-fail', action: 'points', points: 3 }, { when: 'dkim-none', action: 'points', points: 2 }, { when: 'dmarc-none', action: 'points', points: 2 }, { when: 'no-tls', action: 'points', points: 2 }],
    filterWeights: { spamassassin: 1, rspamd: 1, 'built-in': 1 }, groupWeights: { links: 1.6, attachments: 2, html: 1.5, bulk: 1.2 },
    thresholds: { spam: 7, reject: 15 }, refusedExtensions: [...REFUSED_ENDINGS, 'zip', 'rar', '7z', 'docm', 'xlsm', 'pptm', 'html', 'htm', 'svg', 'one'], sizeBytesMax: 10 * MIB, tabs: [], greylisting: null,
  },
  {
    id: 'company-server', domain: 'company-server.local-receiver.example', displayName: 'Company’s own mail server', category: 'b2b', region: 'Global',
    about: 'A mail server that a company runs itself, with a common filter and its defaults.',
    authentication: [{ when: 'dmarc-fail-reject', action: 'reject' }, { when: 'dmarc-fail-quarantine', action: 'spam' }, { when: 'spf-fail', action: 'points', points: 3 }, { when: 'spf-softfail', action: 'points', points: 1 }, { when: 'spf-error', action: 'points', points: 1 }, { when: 'dkim-fail', action: 'points', points: 1 }, { when: 'no-reverse-dns', action: 'points', points: 4 }, { when: 'no-authentication', action: 'points', points: 3 }],
    filterWeights: { spamassassin: 0.5, rspamd: 1, 'built-in': 0.7 }, groupWeights: {},
    thresholds: { spam: 10, reject: 20 }, refusedExtensions: REFUSED_ENDINGS, sizeBytesMax: 50 * MIB, tabs: [], greylisting: { attempts: 1, retryAfterSeconds: 5, fromScore: 6 },
  },
];

/** Galley's own kinds of receivers, consumer ones first. */
export const RECEIVERS: readonly Receiver[] = [...B2C, ...B2B];
