// Whether an email is ready: one verdict for each thing to look at, with its reason. What was not looked at is unknown,
// and unknown is not ready. Pure functions.
import type { Cause } from './causes.ts';

export const ITEMS = [
  'subject_preheader',
  'size_clipping',
  'rendering',
  'links',
  'images',
  'accessibility',
  'dark_mode',
  'spam',
  'authentication',
  'unsubscribe',
] as const;
type ItemName = (typeof ITEMS)[number];
export type Verdict = 'ready' | 'not_ready' | 'unknown';

/** What is known of the newest test of a kind. */
export interface Known {
  state: 'processing' | 'complete' | 'failed';
  testId: string;
  error?: string;
}

export interface Checked {
  subject: string;
  /** By kind; a kind of which no test was started is absent. */
  known: ReadonlyMap<string, Known>;
  /** What is not ignored. */
  causes: readonly Cause[];
  /** Clients with a dark color scheme whose pictures were measured. */
  darkClients: number;
  /** Of the spam test: who sent the message, and what came of authentication. */
  sender: { kind: string; dmarc: string | undefined } | undefined;
}

export interface Item {
  item: ItemName;
  title: string;
  verdict: Verdict;
  reason: string;
  /** Kinds of tests that it was measured on, with their ids. */
  measured: { kind: string; id: string }[];
}

interface Rule {
  title: string;
  /** What must have run. */
  kinds: readonly string[];
  fits(cause: Cause): boolean;
  /** Warnings count, too: receivers act upon them. */
  isStrict?: true;
  /** Something else that keeps it from being known, or from being ready. */
  besides?(checked: Checked): { verdict: Verdict; reason: string } | undefined;
}

const KINDS: Record<string, string> = {
  code: 'code analysis',
  links: 'link test',
  images: 'image test',
  accessibility: 'accessibility test',
  previews: 'preview test',
  spam: 'spam test',
};

const SUBJECT = /^hygiene\/(?:subject|preheader|title|summary)/;
const SIZE = /^hygiene\/(?:gmail|message-size|inline-image)/;
const UNSUBSCRIBE = /unsubscribe|one-click/;
const AUTHENTICATION =
  /^(?:spam\/(?:spf|dkim|dmarc)|bulk-sender\/(?:spf|dkim|dkim-key|dmarc|alignment|reverse-dns|tls|from-domain))$/;
const DARK = /dark/;

const RULES: Record<ItemName, Rule> = {
  subject_preheader: {
    title: 'Subject and preheader',
    kinds: ['code'],
    fits: ({ rule }) => SUBJECT.test(rule),
    besides: ({ subject }) =>
      subject.trim() === '' ? { verdict: 'not_ready', reason: 'This version has no subject.' } : undefined,
  },
  size_clipping: { title: 'Size and clipping', kinds: ['code'], fits: ({ rule }) => SIZE.test(rule) },
  rendering: {
    title: 'Looks in clients',
    kinds: ['previews', 'code'],
    fits: ({ kind, rule }) => kind === 'previews' || rule.startsWith('code/'),
  },
  links: {
    title: 'Links',
    kinds: ['links'],
    fits: ({ kind, rule }) => kind === 'links' && !UNSUBSCRIBE.test(rule),
  },
  images: { title: 'Images', kinds: ['images'], fits: ({ kind }) => kind === 'images' },
  accessibility: {
    title: 'Accessibility',
    kinds: ['accessibility'],
    fits: ({ kind, rule }) => kind === 'accessibility' && !DARK.test(rule),
  },
  dark_mode: {
    title: 'Dark mode',
    kinds: ['previews', 'accessibility'],
    fits: ({ rule }) => DARK.test(rule),
    besides: ({ darkClients }) =>
      darkClients === 0
        ? { verdict: 'unknown', reason: 'No client with a dark color scheme was measured in the preview test.' }
        : undefined,
  },
  spam: {
    title: 'Spam',
    kinds: ['spam'],
    fits: ({ kind, rule }) => kind === 'spam' && !AUTHENTICATION.test(rule) && !UNSUBSCRIBE.test(rule),
  },
  authentication: {
    title: 'Authentication',
    kinds: ['spam'],
    fits: ({ rule }) => AUTHENTICATION.test(rule),
    isStrict: true,
    besides: ({ sender }) => {
      if (!sender || sender.kind === 'stand-in')
        return {
          verdict: 'unknown',
          reason: 'A test sender sent it, so nothing is known of your own domain. Start the spam test with `from`.',
        };
      if (sender.dmarc !== 'pass')
        return { verdict: 'unknown', reason: `DMARC came to “${sender.dmarc ?? 'nothing'}”, which proves no sender.` };
      return undefined;
    },
  },
  unsubscribe: { title: 'Unsubscribing', kinds: ['spam'], fits: ({ rule }) => UNSUBSCRIBE.test(rule), isStrict: true },
};

const times = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

function openReason(kinds: readonly string[], known: Checked['known']): string | undefined {
  for (const kind of kinds) {
    const test = known.get(kind);
    const name = KINDS[kind] ?? kind;
    if (!test) return `No ${name} of this version was started.`;
    if (test.state === 'processing') return `The ${name} is still running.`;
    if (test.state === 'failed') return `The ${name} could not run${test.error ? `: ${test.error}` : '.'}`;
  }
  return undefined;
}

function judge(item: ItemName, checked: Checked): Item {
  const { title, kinds, fits, isStrict = false, besides } = RULES[item];
  const { known, causes } = checked;
  const measured = kinds.flatMap((kind) => {
    const test = known.get(kind);
    return test?.state === 'complete' ? [{ kind, id: test.testId }] : [];
  });
  const made = (verdict: Verdict, reason: string): Item => ({ item, title, verdict, reason, measured });
  const found = causes.filter(fits);
  const grave = found.filter(({ severity }) => isStrict || severity === 'error');
  const other = besides?.(checked);
  if (other?.verdict === 'not_ready') return made('not_ready', other.reason);
  if (grave.length > 0) {
    const more = grave.length > 1 ? ` And ${times(grave.length - 1, 'more cause')}.` : '';
    return made('not_ready', `${grave[0]!.message}${more}`);
  }
  const open = openReason(kinds, known);
  if (open !== undefined) return made('unknown', open);
  if (other) return made(other.verdict, other.reason);
  return made('ready', found.length > 0 ? `No error; ${times(found.length, 'warning')}.` : 'Nothing was found.');
}

export function checklistOf(checked: Checked): Item[] {
  return ITEMS.map((item) => judge(item, checked));
}
