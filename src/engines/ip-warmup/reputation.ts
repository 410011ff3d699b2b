// What receivers say when they hold back the mail of an address because they do not trust it (yet).
import providers from '../../../data/mailbox-providers/providers.json' with { type: 'json' };

/** Rules of the data that speak of capacity, of a session or of one message, and say nothing of the sender. */
const OF_CAPACITY =
  /conne(ct|x)ion|session|resource|busy|unavailable|temporary server error|timeout|refuse|access denied|policy|content/i;

/** What is said by others, or in other words: numbers of Outlook, and words in use everywhere. */
const WORDS = [
  'reputation',
  'unsolicited',
  'user complaints',
  'unexpected volume',
  'unusual rate',
  'rate limit',
  'too many messages from',
  'likely spam',
  'block ?list',
  'blacklist',
  'spamhaus',
  String.raw`\(S3(140|150)\)`,
  String.raw`4\.7\.(28|650|651)\M`,
];

interface Provider {
  rules: { pattern: string }[];
}

const published = (providers as Provider[]).flatMap(({ rules }) => rules.map(({ pattern }) => pattern));

/**
 * One pattern for PostgreSQL (`~*`), which also reads as one of JavaScript but for `\M`: replies about the reputation of
 * the sending address, from data/mailbox-providers and from words in use.
 */
export const REPUTATION_PATTERN: string = [
  ...new Set([...published.filter((pattern) => !OF_CAPACITY.test(pattern)), ...WORDS]),
]
  .map((pattern) => `(?:${pattern})`)
  .join('|');

const reading = new RegExp(REPUTATION_PATTERN.replaceAll(String.raw`\M`, String.raw`\b`), 'i');

/** Whether a receiver's reply is about the reputation of the sending address. */
export const isAboutReputation = (reply: string): boolean => reading.test(reply);
