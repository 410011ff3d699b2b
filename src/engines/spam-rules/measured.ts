// How often filters were right about mail whose kind is known: measured by scripts/refresh-spam-rules.ts, see
// data/spam-rules.
import MEASURED from '../../../data/spam-rules/measured.json' with { type: 'json' };
import { LANGUAGES, type Language } from './language.ts';

type MeasuredEngine = 'built-in' | 'spamassassin' | 'rspamd';

/** How many of the messages were called spam, with Wilson's interval at 95 %. */
export interface CalledSpam {
  messages: number;
  called_spam: number;
  /** 0 to 1. */
  share: number;
  low: number;
  high: number;
}

export interface MeasuredCollection {
  id: string;
  name: string;
  source: string;
  license: string;
  about: string;
  is_spam: boolean;
  /** Whether the weights were fitted to the older half, so that the later half was measured. */
  is_fitted: boolean;
  /** How many messages the whole collection has, each text counted once. */
  messages: number;
  /** Date of the measured messages, such as `2002-07-24`; null if the messages have no date. */
  from: string | null;
  to: string | null;
  /** Messages measured by language; `other` counts messages of unknown language. */
  languages: Record<string, number>;
  /** The built-in rules on everything that was measured. */
  built_in: CalledSpam;
  /** The built-in rules as they were before they were fitted, on the same messages. */
  before: CalledSpam;
  /** Every filter on the same sample; empty where the others were not asked. */
  same_sample: ({ engine: MeasuredEngine } & CalledSpam)[];
}

export interface MeasuredLanguage {
  language: Language;
  /** Null: there was too little real mail in it, and nothing is claimed. */
  detection: CalledSpam | null;
  false_positives: CalledSpam | null;
}

export interface Measured {
  /** `2026-11-22`. */
  date: string;
  rules_version: string;
  threshold: number;
  /** Versions of the filters that were asked. */
  engines: Record<string, string | null>;
  /** How they were asked, in sentences. */
  circumstances: string[];
  collections: MeasuredCollection[];
  languages: MeasuredLanguage[];
}

/** The measurement that belongs to these rules. */
export const SPAM_MEASURED = MEASURED as Measured;

interface MeasuredRate extends CalledSpam {
  kind: 'detection' | 'false_positives';
  collection: string;
  from: string | null;
  to: string | null;
}

/** The sentences that accompany a verdict of the built-in rules. */
interface MeasuredBeside {
  date: string;
  rules_version: string;
  rates: MeasuredRate[];
  /** Language of the message; null if it could not be determined. */
  language: {
    code: Language;
    name: string;
    status: 'measured' | 'rules present, not measured';
    detection: CalledSpam | null;
    false_positives: CalledSpam | null;
  } | null;
  /** The rates in one sentence each. */
  sentences: string[];
}

/** The order of collections with a verdict: spam of all kinds, phishing, mailings, personal mail. */
const BESIDE = ['sa-spam', 'phishing-pot', 'templates', 'sa-hard-ham', 'sa-ham'];

const years = ({ from, to }: { from: string | null; to: string | null }): string => {
  const [first, last] = [from?.slice(0, 4), to?.slice(0, 4)];
  return first === undefined || last === undefined ? '' : first === last ? ` of ${first}` : ` of ${first}–${last}`;
};
const percent = (share: number): string => `${(100 * share).toLocaleString('en-US', { maximumFractionDigits: 1 })} %`;

/** `43.6 % (40.4–46.8 %) of 917 messages`. */
export function rateInWords({ share, low, high, messages }: CalledSpam): string {
  const digits = (value: number): string => (100 * value).toLocaleString('en-US', { maximumFractionDigits: 1 });
  return `${percent(share)} (${digits(low)}–${digits(high)} %) of ${messages.toLocaleString('en-US')} messages`;
}

const RATES: readonly MeasuredRate[] = BESIDE.flatMap((id) =>
  SPAM_MEASURED.collections.filter((one) => one.id === id),
).map(({ name, is_spam, from, to, built_in }) => ({
  kind: is_spam ? 'detection' : 'false_positives',
  collection: name,
  from,
  to,
  ...built_in,
}));

/** What was measured of the rules that gave a verdict, and for the language of the message. */
export function measuredBeside(code: Language | undefined): MeasuredBeside {
  const found = SPAM_MEASURED.languages.find(({ language }) => language === code);
  const { date, rules_version } = SPAM_MEASURED;
  const isMeasured = found?.detection !== null || found.false_positives !== null;
  const language: MeasuredBeside['language'] = found
    ? {
        code: found.language,
        name: LANGUAGES[found.language],
        status: isMeasured ? 'measured' : 'rules present, not measured',
        detection: found.detection,
        false_positives: found.false_positives,
      }
    : null;
  const sentences = [
    ...RATES.map(
      (rate) =>
        `${rate.kind === 'detection' ? 'Finds' : 'Takes for spam'} ${rateInWords(rate)}: ` +
        `${rate.collection}${years(rate)}.`,
    ),
    language === null ? 'The language of the message could not be detected.' : languageInWords(language),
  ];
  return { date, rules_version, rates: RATES.map((rate) => ({ ...rate })), language, sentences };
}

function languageInWords({ name, detection, false_positives: wrong }: NonNullable<MeasuredBeside['language']>): string {
  if (!detection && !wrong) return `${name}: rules present, not measured.`;
  const found = detection ? `finds ${rateInWords(detection)} that are spam` : 'detection not measured';
  return (
    `${name}: ${found}; ` +
    `${wrong ? `takes for spam ${rateInWords(wrong)} that are not` : 'false positives not measured'}.`
  );
}

/**
 * What one filter found, and what the built-in rules found, in the same sample of a collection of spam; the largest
 * first.
 */
export function comparedWith(engine: MeasuredEngine): { collection: string; theirs: CalledSpam; ours: CalledSpam }[] {
  return SPAM_MEASURED.collections
    .filter(({ is_spam }) => is_spam)
    .flatMap(({ name, same_sample: said }) => {
      const [theirs, ours] = [said.find((one) => one.engine === engine), said.find((one) => one.engine === 'built-in')];
      return theirs && ours ? [{ collection: name, theirs, ours }] : [];
    });
}
