// The measurement as tables to read.
import {
  LANGUAGES,
  type CalledSpam,
  type Measured,
  type MeasuredCollection,
} from '../../src/engines/spam-rules/index.ts';

const number = (value: number): string => (100 * value).toLocaleString('en-US', { maximumFractionDigits: 1 });
const rate = ({ share, low, high }: CalledSpam): string => `${number(share)} % (${number(low)}–${number(high)})`;
const dates = ({ from, to }: MeasuredCollection): string => (from === null ? 'no dates' : `${from} to ${to}`);

function sameSample({ same_sample: said }: MeasuredCollection): string[] {
  const of = (engine: string): string => {
    const found = said.find((one) => one.engine === engine);
    return found ? rate(found) : 'not asked';
  };
  return [String(said[0]?.messages ?? 0), of('built-in'), of('spamassassin'), of('rspamd')];
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function tableOf(collections: readonly MeasuredCollection[], isSpam: boolean): string[] {
  const rows = collections
    .filter((one) => one.is_spam === isSpam)
    .map((one) =>
      line([
        one.name,
        dates(one),
        String(one.built_in.messages),
        rate(one.before),
        `**${rate(one.built_in)}**`,
        ...sameSample(one),
      ]),
    );
  return [
    line([
      'collection',
      'mail of',
      'messages',
      'before',
      'built-in rules',
      'same sample',
      'built-in',
      'SpamAssassin',
      'Rspamd',
    ]),
    line(['---', '---', '---:', '---:', '---:', '---:', '---:', '---:', '---:']),
    ...rows,
  ];
}

/** Markdown. */
export function measuredTables(measured: Measured): string {
  const { date, rules_version: version, threshold, engines, circumstances, collections, languages } = measured;
  const rateOrNone = (one: CalledSpam | null): string => (one ? `${rate(one)} of ${one.messages}` : 'not measured');
  return `${[
    '# How often the spam filters are right',
    '',
    `Measured on ${date}: built-in rules ${version} (spam from ${threshold} points on), SpamAssassin ` +
      `${engines['spamassassin'] ?? 'not asked'}, Rspamd ${engines['rspamd'] ?? 'not asked'}. ` +
      'Made by `scripts/refresh-spam-rules.ts`. Shares of messages that a filter called spam, with ' +
      "Wilson's interval at 95 %.",
    '',
    '## Of spam: what is found',
    '',
    ...tableOf(collections, true),
    '',
    '## Of wanted mail: what is wrongly called spam',
    '',
    ...tableOf(collections, false),
    '',
    '## By language',
    '',
    'From collections of raw mail. A language with fewer than 20 such messages has rules, and no rate.',
    '',
    line(['language', 'spam found', 'wanted mail called spam', '']),
    line(['---', '---:', '---:', '---']),
    ...languages.map(({ language, detection, false_positives: wrong }) =>
      line([
        LANGUAGES[language],
        rateOrNone(detection),
        rateOrNone(wrong),
        detection || wrong ? 'measured' : 'rules present, not measured',
      ]),
    ),
    '',
    '## How',
    '',
    ...circumstances.map((sentence) => `- ${sentence}`),
    '',
    '## Collections',
    '',
    line(['collection', 'source', 'license', 'messages', 'languages of what was measured', '']),
    line(['---', '---', '---', '---:', '---', '---']),
    ...collections.map(({ name, source, license, messages, languages: counts, about }) =>
      line([
        name,
        source,
        license,
        String(messages),
        Object.entries(counts)
          .map(([language, count]) => `${language} ${count}`)
          .join(', '),
        about,
      ]),
    ),
    '',
  ].join('\n')}`;
}
