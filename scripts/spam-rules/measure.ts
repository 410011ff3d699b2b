// From what filters said of labeled mail to the figures that are published.
import {
  LANGUAGES,
  type CalledSpam,
  type Language,
  type Measured,
  type MeasuredCollection,
  type MeasuredLanguage,
} from '../../src/engines/spam-rules/index.ts';
import type { Said } from './ask-filters.ts';
import type { Corpus } from './corpora.ts';

/** One message that was measured. */
export interface Verdicts {
  corpus: Corpus;
  receivedAt: string | undefined;
  language: Language | undefined;
  builtIn: boolean;
  before: boolean;
  spamassassin: Said | undefined;
  rspamd: Said | undefined;
}

const Z = 1.959964;
/** Less real mail than this says nothing about a language. */
const LANGUAGE_LEAST = 20;
const SAMPLE_LEAST = 20;

const rounded = (share: number): number => Math.round(share * 10_000) / 10_000;

/** Wilson's interval at 95 %. */
export function calledSpam(said: readonly boolean[]): CalledSpam {
  const [messages, called] = [said.length, said.filter(Boolean).length];
  const share = messages === 0 ? 0 : called / messages;
  const spread = 1 + Z ** 2 / messages;
  const middle = (share + Z ** 2 / (2 * messages)) / spread;
  const half = (Z * Math.sqrt((share * (1 - share)) / messages + Z ** 2 / (4 * messages ** 2))) / spread;
  return {
    messages,
    called_spam: called,
    share: rounded(share),
    low: called === 0 ? 0 : rounded(Math.max(0, middle - half)),
    high: called === messages ? 1 : rounded(Math.min(1, middle + half)),
  };
}

function collectionOf(
  corpus: Corpus,
  { all, messages }: { all: readonly Verdicts[]; messages: number },
): MeasuredCollection {
  const days = all.flatMap(({ receivedAt }) => receivedAt?.slice(0, 10) ?? []).sort();
  const asked = all.filter(({ spamassassin, rspamd }) => spamassassin && rspamd);
  const counts = Object.entries(Object.groupBy(all, ({ language }) => language ?? 'other'))
    .map(([language, rows]) => [language, rows!.length] as const)
    .sort((a, b) => b[1] - a[1]);
  const { id, name, source, license, about, isSpam, isFitted } = corpus;
  const same =
    asked.length < SAMPLE_LEAST
      ? []
      : [
          { engine: 'built-in' as const, ...calledSpam(asked.map(({ builtIn }) => builtIn)) },
          { engine: 'spamassassin' as const, ...calledSpam(asked.map(({ spamassassin }) => spamassassin!.isSpam)) },
          { engine: 'rspamd' as const, ...calledSpam(asked.map(({ rspamd }) => rspamd!.isSpam)) },
        ];
  return {
    id,
    name,
    source,
    license,
    about,
    is_spam: isSpam,
    is_fitted: isFitted,
    messages,
    from: days[0] ?? null,
    to: days.at(-1) ?? null,
    languages: Object.fromEntries(counts),
    built_in: calledSpam(all.map(({ builtIn }) => builtIn)),
    before: calledSpam(all.map(({ before }) => before)),
    same_sample: same,
  };
}

function languageRow(language: Language, all: readonly Verdicts[]): MeasuredLanguage {
  const rate = (isSpam: boolean): CalledSpam | null => {
    const rows = all.filter(
      (one) => one.language === language && one.corpus.isSpam === isSpam && one.corpus.kind === 'mail',
    );
    return rows.length < LANGUAGE_LEAST ? null : calledSpam(rows.map(({ builtIn }) => builtIn));
  };
  return { language, detection: rate(true), false_positives: rate(false) };
}

interface MeasureInput {
  date: string;
  rulesVersion: string;
  threshold: number;
  circumstances: string[];
  /** By collection, in the order in which they are shown. */
  measured: readonly { corpus: Corpus; messages: number; all: readonly Verdicts[] }[];
}

export function measuredOf({ date, rulesVersion, threshold, circumstances, measured }: MeasureInput): Measured {
  const all = measured.flatMap((one) => one.all);
  const versionOf = (engine: 'spamassassin' | 'rspamd'): string | null =>
    all.find((one) => one[engine]?.version)?.[engine]?.version ?? null;
  return {
    date,
    rules_version: rulesVersion,
    threshold,
    engines: { 'built-in': rulesVersion, spamassassin: versionOf('spamassassin'), rspamd: versionOf('rspamd') },
    circumstances,
    collections: measured
      .filter((one) => one.all.length > 0)
      .map(({ corpus, all: ofCorpus, messages }) => collectionOf(corpus, { all: ofCorpus, messages })),
    languages: (Object.keys(LANGUAGES) as Language[]).map((language) => languageRow(language, all)),
  };
}
