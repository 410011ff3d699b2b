// Fits the points of the built-in spam rules to public collections of mail, and measures them beside SpamAssassin and
// Rspamd. Collections are not part of this repository; their sources and licenses stand in spam-rules/corpora.ts.
//
//   node scripts/refresh-spam-rules.ts --cache DIR [--fit] [--ask N] [--sample N] sa-spam=/path sa-ham=/path …
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  scoreSpam,
  SPAM_RULES_VERSION,
  SPAM_THRESHOLD,
  WRITTEN_POINTS,
  type Language,
} from '../src/engines/spam-rules/index.ts';
import { askFilters, keyOf, readAsked } from './spam-rules/ask-filters.ts';
import { CORPORA, type Corpus } from './spam-rules/corpora.ts';
import { crossScores, fitWeights, pointsOf, scoreOf, thresholdFor, type Example } from './spam-rules/fit.ts';
import { measuredOf, type Verdicts } from './spam-rules/measure.ts';
import { readCorpus, type CorpusMail } from './spam-rules/read-corpus.ts';
import { sampleOf, splitCorpus } from './spam-rules/split.ts';
import { measuredTables } from './spam-rules/tables.ts';

const DATA = join(import.meta.dirname, '../data/spam-rules');
/** At most this share of each collection of wanted mail is called spam, in cross-validation on the fitted half. */
const FALSE_POSITIVES_MAX = { 'sa-ham': 0.002, 'sa-hard-ham': 0.01, templates: 0 };
const PULLS = [3, 10, 30];
/**
 * Spam is plenty; a wanted message that is lost costs more, a mailing most: senders of mailings read these verdicts.
 */
const WEIGHTS: Record<string, number> = {
  'sa-ham': 2,
  'sa-hard-ham': 8,
  templates: 10,
  'phishing-pot': 1,
  'sa-spam': 2,
};

interface Hits {
  digest: string;
  rules: string[];
  language: Language | undefined;
}

interface Loaded {
  corpus: Corpus;
  messages: number;
  fitted: CorpusMail[];
  measured: CorpusMail[];
}

const log = (text: string): void => void process.stderr.write(`${text}\n`);

async function readHits(path: string): Promise<Map<string, Hits>> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Hits)
      .map((hits) => [hits.digest, hits]),
  );
}

/** What the rules find, kept beside the answers of the filters; delete the file after a change of rules. */
async function findHits(loaded: readonly Loaded[], path: string): Promise<Map<string, Hits>> {
  const known = await readHits(path);
  const lines: string[] = [];
  for (const { corpus, fitted, measured } of loaded) {
    for (const { digest, input } of [...fitted, ...measured]) {
      if (known.has(digest)) continue;
      const { rules, language } = scoreSpam(input);
      const hits: Hits = { digest, rules: rules.map(({ rule }) => rule), language };
      known.set(digest, hits);
      lines.push(JSON.stringify(hits));
    }
    log(`${corpus.id}: rules run`);
    await writeFile(
      path,
      lines
        .splice(0)
        .map((line) => `${line}\n`)
        .join(''),
      { flag: 'a' },
    );
  }
  return known;
}

/** Fits and writes the weights; returns them. */
async function fit(loaded: readonly Loaded[], hits: ReadonlyMap<string, Hits>): Promise<void> {
  const examples: Example[] = loaded.flatMap(({ corpus, fitted }) =>
    fitted.map(({ digest }) => ({
      collection: corpus.id,
      hits: hits.get(digest)!.rules,
      isSpam: corpus.isSpam,
      weight: WEIGHTS[corpus.id] ?? 1,
    })),
  );
  let best: { pull: number; found: number; threshold: number } | undefined;
  for (const pull of PULLS) {
    const scores = crossScores(examples, { written: WRITTEN_POINTS, pull });
    const threshold = thresholdFor(examples, scores, FALSE_POSITIVES_MAX);
    const spam = examples.flatMap(({ isSpam }, place) => (isSpam ? [scores[place]!] : []));
    const found = spam.filter((score) => score >= threshold).length / spam.length;
    log(
      `pull ${pull}: ${(100 * found).toFixed(1)} % of the fitted spam in cross-validation, at ` +
        `${threshold.toFixed(2)} nats`,
    );
    if (!best || found > best.found) best = { pull, found, threshold };
  }
  const { pull, found } = best!;
  const options = { written: WRITTEN_POINTS, pull };
  const fitted = fitWeights(examples, options);
  const threshold = Math.max(
    best!.threshold,
    thresholdFor(
      examples,
      examples.map((example) => scoreOf(example, fitted, WRITTEN_POINTS)),
      FALSE_POSITIVES_MAX,
    ),
  );
  const points = pointsOf(fitted, threshold, SPAM_THRESHOLD);
  const about = {
    messages: examples.length,
    spam: examples.filter(({ isSpam }) => isSpam).length,
    pull,
    cross_validated_detection: Math.round(found * 1000) / 1000,
    false_positives_max: FALSE_POSITIVES_MAX,
  };
  await writeFile(
    join(DATA, 'weights.json'),
    `${JSON.stringify({ rules_version: SPAM_RULES_VERSION, fitted_to: about, points }, null, 2)}\n`,
  );
}

async function pointsNow(): Promise<Map<string, number>> {
  const { points } = JSON.parse(await readFile(join(DATA, 'weights.json'), 'utf8')) as {
    points: Record<string, number>;
  };
  return new Map([...WRITTEN_POINTS, ...Object.entries(points)]);
}

async function readBefore(path: string): Promise<Map<string, boolean>> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as [string, string, string, number])
      .map(([, digest, , score]) => [digest, score >= SPAM_THRESHOLD]),
  );
}

async function measure(loaded: readonly Loaded[], hits: ReadonlyMap<string, Hits>, cache: string): Promise<void> {
  const [points, asked, before] = [
    await pointsNow(),
    await readAsked(join(cache, 'asked.jsonl')),
    await readBefore(join(cache, 'before.jsonl')),
  ];
  const measured = loaded.map(({ corpus, messages, measured: mails }) => ({
    corpus,
    messages,
    all: mails.map((mail): Verdicts => {
      const { rules, language } = hits.get(mail.digest)!;
      const score = Math.round(rules.reduce((sum, rule) => sum + (points.get(rule) ?? 0), 0) * 10) / 10;
      return {
        corpus,
        receivedAt: mail.receivedAt?.toISOString(),
        language,
        builtIn: score >= SPAM_THRESHOLD,
        before: before.get(mail.digest) ?? false,
        spamassassin: asked.get(keyOf('spamassassin', mail)),
        rspamd: asked.get(keyOf('rspamd', mail)),
      };
    }),
  }));
  const circumstances = [
    'SpamAssassin and Rspamd as Debian installs them, with their local rules: without the network, DNS, ' +
      'blocklists, learning. With these they find more.',
    'Points of Rspamd for what only DNS could answer, and for dates in the past, are left out; mail counts as ' +
      'spam from 6 points on, where it marks mail by default.',
    'Fields that other filters wrote into the mail are removed before. Messages of the same sender, ' +
      'subject and text count once.',
    'Collections that the weights are fitted to are split by date: the older half is fitted to, the later half is ' +
      'measured. Templates are split by publisher.',
    'The filters are asked about the same sample of each collection.',
  ];
  const result = measuredOf({
    date: new Date().toISOString().slice(0, 10),
    rulesVersion: SPAM_RULES_VERSION,
    threshold: SPAM_THRESHOLD,
    circumstances,
    measured,
  });
  await writeFile(join(DATA, 'measured.json'), `${JSON.stringify(result, null, 2)}\n`);
  await writeFile(join(DATA, 'measured.md'), measuredTables(result));
  for (const { id, built_in: now, before: then, same_sample: same } of result.collections)
    log(
      `${id}: ${(100 * then.share).toFixed(1)} % → ${(100 * now.share).toFixed(1)} % of ${now.messages}; ` +
        `${same.map(({ engine, share, messages }) => `${engine} ${(100 * share).toFixed(1)} % of ${messages}`).join(', ')}`,
    );
}

async function load(paths: ReadonlyMap<string, string>, sample: number): Promise<Loaded[]> {
  const loaded: Loaded[] = [];
  for (const corpus of CORPORA) {
    const path = paths.get(corpus.id);
    if (path === undefined) continue;
    const mails = await readCorpus(corpus, path);
    const { fitted, measured } = splitCorpus(mails);
    loaded.push({
      corpus,
      messages: mails.length,
      fitted: sampleOf(fitted, sample),
      measured: sampleOf(measured, sample),
    });
    log(`${corpus.id}: ${mails.length} messages, ${fitted.length} to fit to, ${measured.length} to measure`);
  }
  return loaded;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cache: { type: 'string' },
    fit: { type: 'boolean', default: false },
    ask: { type: 'string' },
    sample: { type: 'string', default: '2000' },
  },
});
const paths = new Map(
  positionals.map((given) => [given.slice(0, given.indexOf('=')), given.slice(given.indexOf('=') + 1)]),
);
const unknown = [...paths.keys()].filter((id) => !CORPORA.some((corpus) => corpus.id === id));
if (values.cache === undefined || paths.size === 0 || unknown.length) {
  log(
    'Usage: node scripts/refresh-spam-rules.ts --cache DIR [--fit] [--ask N] [--sample N] id=path …\n' +
      `Collections: ${CORPORA.map(({ id }) => id).join(', ')}.` +
      `${unknown.length ? ` Unknown: ${unknown.join(', ')}.` : ''}`,
  );
  process.exit(2);
}
await mkdir(values.cache, { recursive: true });
const loaded = await load(paths, Number(values.sample));
if (values.ask !== undefined)
  await askFilters(
    loaded.flatMap(({ measured }) => sampleOf(measured, Number(values.ask))),
    join(values.cache, 'asked.jsonl'),
  );
const hits = await findHits(loaded, join(values.cache, 'hits.jsonl'));
if (values.fit) await fit(loaded, hits);
await measure(loaded, hits, values.cache);
