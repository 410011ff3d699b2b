// The collections of mail that the built-in rules are fitted to and measured on. None of their messages is in this
// repository: whoever runs the script names the directories.
export interface Corpus {
  /** Names it on the command line: `sa-spam=/path`. */
  id: string;
  name: string;
  source: string;
  license: string;
  isSpam: boolean;
  /** `mail`: raw messages. `html`: HTML of templates and newsletters, put into a message as a spam test does. */
  kind: 'mail' | 'html';
  /** Whether the older half, by date, is fitted to; the later half is measured then, otherwise all of it. */
  isFitted: boolean;
  about: string;
}

const SPAMASSASSIN = {
  source: 'https://spamassassin.apache.org/old/publiccorpus/',
  license: 'Apache-2.0',
  kind: 'mail',
  isFitted: true,
} as const;
const TESTS = { kind: 'mail', isFitted: false } as const;
const MARKETING = { isSpam: false, kind: 'html', isFitted: true } as const;

/** In the order in which they are shown. */
export const CORPORA: readonly Corpus[] = [
  {
    id: 'sa-spam',
    name: 'SpamAssassin public corpus, spam',
    isSpam: true,
    about: 'Unsolicited mail of all kinds.',
    ...SPAMASSASSIN,
  },
  {
    id: 'sa-ham',
    name: 'SpamAssassin public corpus, ham',
    isSpam: false,
    about: 'Personal mail, mailing lists, notices.',
    ...SPAMASSASSIN,
  },
  {
    id: 'sa-hard-ham',
    name: 'SpamAssassin public corpus, hard ham',
    isSpam: false,
    about: 'Newsletters and offers that were asked for.',
    ...SPAMASSASSIN,
  },
  {
    id: 'phishing-pot',
    name: 'Phishing Pot',
    source: 'https://github.com/rf-peixoto/phishing_pot',
    license: 'CC-BY-NC-4.0',
    isSpam: true,
    kind: 'mail',
    isFitted: true,
    about: 'Phishing and fraud from honey pots, reported by many people.',
  },
  {
    id: 'sa-tests-spam',
    name: 'SpamAssassin test messages, spam',
    source: 'https://github.com/apache/spamassassin (t/data/spam)',
    license: 'Apache-2.0',
    isSpam: true,
    about: 'What SpamAssassin tests itself with.',
    ...TESTS,
  },
  {
    id: 'sa-tests-ham',
    name: 'SpamAssassin test messages, ham',
    source: 'https://github.com/apache/spamassassin (t/data/nice)',
    license: 'Apache-2.0',
    isSpam: false,
    about: 'What SpamAssassin tests itself with.',
    ...TESTS,
  },
  {
    id: 'bounces',
    name: 'Sisimai test messages',
    source: 'https://github.com/sisimai/p5-sisimai',
    license: 'BSD-2-Clause',
    isSpam: false,
    about: 'Bounces of many mail servers: automatic mail that nobody asked for, and that must arrive.',
    ...TESTS,
  },
  {
    id: 'templates',
    name: 'Templates and newsletters under free licenses',
    source: 'See README.md beside this file',
    license: 'MIT, Apache-2.0 and others; see README.md',
    about: 'HTML of newsletters, offers, receipts and notices as senders write them now.',
    ...MARKETING,
  },
];
