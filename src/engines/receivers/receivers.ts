// The simulated receivers, as data. They follow sentences that receivers publish (`documents.ts`); points, thresholds
// and tabs without a citation are choices of ours, after the defaults of SpamAssassin, Rspamd and Postfix. None stands
// for a brand, and none has seen how a real mailbox of any brand files mail.
import type { AuthRule, Receiver, TabRule } from './types.ts';

const REFUSED_ENDINGS = ['exe', 'scr', 'com', 'bat', 'cmd', 'pif', 'vbs', 'js', 'jse', 'wsf', 'hta', 'msi', 'cpl', 'jar', 'ps1', 'lnk', 'iso', 'vhd', 'dll', 'chm'];
const MIB = 1024 * 1024;

/** A header that DMARC cannot be judged by (RFC 7489 §6.6.1). */
const ONE_AUTHOR: readonly AuthRule[] = [
  { when: 'from-missing', action: 'reject', cites: 'dmarc-no-from' },
  { when: 'from-repeated', action: 'reject', cites: 'dmarc-repeated-from' },
  { when: 'from-several', action: 'reject', cites: 'dmarc-several-authors' },
];
const DMARC_REJECT: AuthRule = { when: 'dmarc-fail-reject', action: 'reject', cites: 'dmarc-reject' };
const DMARC_QUARANTINE: AuthRule = { when: 'dmarc-fail-quarantine', action: 'spam', cites: 'dmarc-quarantine' };

/** Points for what no document decides by itself. */
const DOUBTS: readonly AuthRule[] = [
  { when: 'dmarc-fail-none', action: 'points', points: 3 },
  { when: 'spf-fail', action: 'points', points: 2, cites: 'spf-fail' },
  { when: 'spf-softfail', action: 'points', points: 1 },
  { when: 'dkim-fail', action: 'points', points: 1.5 },
  { when: 'dkim-none', action: 'points', points: 1 },
  { when: 'dmarc-none', action: 'points', points: 1 },
  { when: 'no-tls', action: 'points', points: 1, cites: 'gmail-tls' },
  { when: 'dmarc-pass', action: 'points', points: -1 },
  { when: 'bimi-pass', action: 'points', points: -0.5 },
];

/** The sender guidelines for everybody, and those for bulk senders, as their error texts word them. */
const BULK_SENDER_RULES: readonly AuthRule[] = [
  { when: 'from-missing', action: 'reject', cites: 'dmarc-no-from' },
  { when: 'from-repeated', action: 'reject', cites: 'gmail-duplicate-fields' },
  { when: 'from-several', action: 'reject', cites: 'gmail-several-authors' },
  { when: 'fields-repeated', action: 'reject', cites: 'gmail-duplicate-fields' },
  { when: 'dmarc-fail-reject', action: 'reject', cites: 'gmail-dmarc' },
  { when: 'no-authentication', action: 'reject', cites: 'gmail-unauthenticated' },
  { when: 'no-reverse-dns', action: 'reject', cites: 'gmail-ptr' },
  { when: 'bulk-unsigned', action: 'reject', cites: 'gmail-bulk-dkim' },
  DMARC_QUARANTINE,
  { when: 'bulk-unauthenticated', action: 'spam', cites: 'gmail-bulk-alignment' },
  ...DOUBTS,
];

/** As above, by a provider that refuses bulk mail without DMARC and files other mail without authentication. */
const STRICT_MAILBOX_RULES: readonly AuthRule[] = [
  ...ONE_AUTHOR,
  DMARC_REJECT,
  { when: 'dmarc-fail-quarantine', action: 'reject' },
  { when: 'bulk-unauthenticated', action: 'reject', cites: 'outlook-bulk' },
  { when: 'no-authentication', action: 'spam', cites: 'yahoo-unauthenticated' },
  { when: 'no-reverse-dns', action: 'spam', cites: 'outlook-reverse-dns' },
  ...DOUBTS,
];

const FOUR_TABS: readonly TabRule[] = [
  {
    category: 'social', least: 4,
    signals: { 'social-words': 3, 'no-reply-sender': 1, 'list-unsubscribe': 1, 'commercial-words': -2 },
  },
  {
    category: 'forums', least: 5,
    signals: { 'list-post': 4, 'list-id': 1, 'precedence-bulk': 1, reply: 1, 'commercial-words': -2 },
  },
  {
    category: 'promotions', least: 4,
    signals: {
      'commercial-words': 3, 'many-offers': 3, 'list-unsubscribe': 2, 'image-heavy': 2, 'many-links': 2,
      'feedback-id': 1, 'precedence-bulk': 1, 'transaction-subject': -6, 'transaction-words': -1,
    },
  },
  {
    category: 'updates', least: 3,
    signals: {
      'transaction-subject': 5, 'transaction-words': 3, 'no-reply-sender': 1, 'list-unsubscribe': 2,
      'auto-submitted': 1, 'feedback-id': 1, 'list-id': 1, 'commercial-words': -1, 'many-offers': -2,
    },
  },
];

const OTHER_TAB: readonly TabRule[] = [
  {
    category: 'other', least: 3,
    signals: {
      'list-unsubscribe': 3, 'commercial-words': 2, 'precedence-bulk': 1, 'feedback-id': 1, 'no-reply-sender': 1,
      'transaction-subject': -1, reply: -2,
    },
  },
];

const B2C: readonly Receiver[] = [
  {
    id: 'webmail', domain: 'webmail.local-receiver.example', displayName: 'Simulated consumer webmail with tabs', category: 'b2c', region: 'Global',
    about: 'Large consumer webmail: the bulk sender rules in full, sorts mailings into tabs.',
    authentication: BULK_SENDER_RULES,
    filterWeights: { spamassassin: 0.5, rspamd: 1, 'built-in': 0.8 }, groupWeights: { bulk: 1.5, links: 1.2, headers: 0.9 },
    thresholds: { spam: 10, reject: 25 }, refusedExtensions: REFUSED_ENDINGS, sizeBytesMax: 25 * MIB, tabs: FOUR_TABS, greylisting: null,
  },
  {
    id: 'mailbox', domain: 'mailbox.local-receiver.example', displayName: 'Simulated consumer mailbox, strict on authentication', category: 'b2c', region: 'Global',
    about: 'Large consumer mailbox that refuses what fails DMARC and shows mailings apart.',
    authentication: STRICT_MAILBOX_RULES,
    filterWeights: { spamassassin: 0.7, rspamd: 0.9, 'built-in': 0.8 }, groupWeights: { bulk: 1.3, images: 1.2 },
    thresholds: { spam: 9, reject: 22 }, refusedExtensions: REFUSED_ENDINGS, sizeBytesMax: 20 * MIB, tabs: OTHER_TAB, greylisting: null,
  },
  {
    id: 'portal', domain: 'portal.local-receiver.example', displayName: 'Simulated web portal with a newsletter folder', category: 'b2c', region: 'EU',
    about: 'Mail of a web portal: insists on reverse DNS, keeps newsletters in a folder of their own.',
    authentication: [
      ...ONE_AUTHOR,
      DMARC_REJECT,
      { when: 'no-reverse-dns', action: 'reject' },
      { when: 'spf-fail', action: 'reject', cites: 'portal-spf' },
      DMARC_QUARANTINE,
      { when: 'no-authentication', action: 'points', points: 4 },
      { when: 'dkim-fail', action: 'points', points: 1 },
      { when: 'no-tls', action: 'points', points: 0.5 },
    ],
    filterWeights: { spamassassin: 1, rspamd: 0.8, 'built-in': 0.8 }, groupWeights: { bulk: 1.2 },
    thresholds: { spam: 10, reject: 30 }, refusedExtensions: REFUSED_ENDINGS, sizeBytesMax: 50 * MIB,
    tabs: [
      {
        category: 'newsletters', least: 2,
        signals: {
          'list-unsubscribe': 2, 'list-id': 1, 'commercial-words': 1, 'precedence-bulk': 1, 'transaction-subject': -2,
        },
      },
    ],
    greylisting: null,
  },
  {
    id: 'isp', domain: 'isp.local-receiver.example', displayName: 'Simulated small internet provider', category: 'b2c', region: 'Global',
    about: 'Mail of a small internet provider: content filter above all, puts off what looks doubtful, no tabs.',
    authentication: [
      ...ONE_AUTHOR,
      { when: 'spf-fail', action: 'points', points: 4 },
      { when: 'spf-softfail', action: 'points', points: 1.5 },
      { when: 'dmarc-fail-reject', action: 'spam' },
      { when: 'dmarc-fail-quarantine', action: 'points', points: 5 },
      { when: 'no-reverse-dns', action: 'points', points: 4 },
      { when: 'no-authentication', action: 'points', points: 2 },
    ],
    filterWeights: { spamassassin: 1, rspamd: 0.4, 'built-in': 0.8 }, groupWeights: { content: 1.3, bulk: 0.5 },
    thresholds: { spam: 10, reject: 30 }, refusedExtensions: REFUSED_ENDINGS.slice(0, 8), sizeBytesMax: 20 * MIB, tabs: [], greylisting: { attempts: 1, retryAfterSeconds: 5, fromScore: 5 },
  },
  {
    id: 'private-mail', domain: 'private-mail.local-receiver.example', displayName: 'Simulated privacy-minded mailbox', category: 'b2c', region: 'EU',
    about: 'Paid mailbox that looks at authentication and form rather than at words, and dislikes trackers.',
    authentication: [
      ...ONE_AUTHOR,
      DMARC_REJECT,
      DMARC_QUARANTINE,
      { when: 'no-authentication', action: 'points', points: 6 },
      { when: 'dkim-none', action: 'points', points: 1.5 },
      { when: 'dkim-fail', action: 'points', points: 2 },
      { when: 'spf-fail', action: 'points', points: 3 },
      { when: 'no-tls', action: 'points', points: 3 },
      { when: 'no-reverse-dns', action: 'points', points: 2 },
    ],
    filterWeights: { spamassassin: 0.4, rspamd: 1, 'built-in': 0.6 }, groupWeights: { content: 0.7, images: 1.4, html: 1.3 },
    thresholds: { spam: 10, reject: null }, refusedExtensions: [], sizeBytesMax: 25 * MIB, tabs: [], greylisting: null,
  },
];

const B2B: readonly Receiver[] = [
  {
    id: 'office-suite', domain: 'office-suite.local-receiver.example', displayName: 'Simulated hosted office suite', category: 'b2b', region: 'Global',
    about: 'Company mail in a hosted office suite: verdicts of all checks together, mailings apart from the focused inbox.',
    authentication: [
      ...ONE_AUTHOR,
      DMARC_REJECT,
      DMARC_QUARANTINE,
      { when: 'dmarc-fail-none', action: 'points', points: 4 },
      { when: 'no-authentication', action: 'points', points: 6 },
      { when: 'spf-fail', action: 'points', points: 3 },
      { when: 'spf-softfail', action: 'points', points: 1.5 },
      { when: 'dkim-fail', action: 'points', points: 2 },
      { when: 'dmarc-none', action: 'points', points: 1 },
      { when: 'no-reverse-dns', action: 'points', points: 3 },
      { when: 'dmarc-pass', action: 'points', points: -1 },
    ],
    filterWeights: { spamassassin: 0.7, rspamd: 1, 'built-in': 1 }, groupWeights: { links: 1.4, attachments: 1.3, bulk: 1.1 },
    thresholds: { spam: 9, reject: 25 }, refusedExtensions: REFUSED_ENDINGS, sizeBytesMax: 35 * MIB, tabs: OTHER_TAB, greylisting: null,
  },
  {
    id: 'gateway', domain: 'gateway.local-receiver.example', displayName: 'Simulated strict corporate gateway', category: 'b2b', region: 'Global',
    about: 'A gateway before a large company: refuses rather than files, distrusts links, attachments and mailings.',
    authentication: [
      ...ONE_AUTHOR,
      DMARC_REJECT,
      { when: 'dmarc-fail-quarantine', action: 'reject' },
      { when: 'no-reverse-dns', action: 'reject' },
      { when: 'spf-fail', action: 'reject' },
      { when: 'dmarc-fail-none', action: 'spam' },
      { when: 'no-authentication', action: 'spam' },
      { when: 'spf-softfail', action: 'points', points: 3 },
      { when: 'spf-error', action: 'points', points: 2 },
      { when: 'dkim-fail', action: 'points', points: 3 },
      { when: 'dkim-none', action: 'points', points: 2 },
      { when: 'dmarc-none', action: 'points', points: 2 },
      { when: 'no-tls', action: 'points', points: 2 },
    ],
    filterWeights: { spamassassin: 1, rspamd: 1, 'built-in': 1 }, groupWeights: { links: 1.6, attachments: 2, html: 1.5, bulk: 1.2 },
    thresholds: { spam: 7, reject: 15 }, refusedExtensions: [...REFUSED_ENDINGS, 'zip', 'rar', '7z', 'docm', 'xlsm', 'pptm', 'html', 'htm', 'svg', 'one'], sizeBytesMax: 10 * MIB, tabs: [], greylisting: null,
  },
  {
    id: 'company-server', domain: 'company-server.local-receiver.example', displayName: 'Simulated company’s own mail server', category: 'b2b', region: 'Global',
    about: 'A mail server that a company runs itself, with a common filter and its defaults.',
    authentication: [
      ...ONE_AUTHOR,
      DMARC_REJECT,
      DMARC_QUARANTINE,
      { when: 'spf-fail', action: 'points', points: 3 },
      { when: 'spf-softfail', action: 'points', points: 1 },
      { when: 'spf-error', action: 'points', points: 1 },
      { when: 'dkim-fail', action: 'points', points: 1 },
      { when: 'no-reverse-dns', action: 'points', points: 4 },
      { when: 'no-authentication', action: 'points', points: 3 },
    ],
    filterWeights: { spamassassin: 0.5, rspamd: 1, 'built-in': 0.7 }, groupWeights: {},
    thresholds: { spam: 10, reject: 20 }, refusedExtensions: REFUSED_ENDINGS, sizeBytesMax: 50 * MIB, tabs: [], greylisting: { attempts: 1, retryAfterSeconds: 5, fromScore: 6 },
  },
];

/** Galley's own kinds of receivers, consumer ones first. */
export const RECEIVERS: readonly Receiver[] = [...B2C, ...B2B];
