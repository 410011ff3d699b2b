// Which messages weights are fitted to, and which they are measured on: by date, and templates by who published them.
import type { CorpusMail } from './read-corpus.ts';

interface Split {
  /** The older half. */
  fitted: CorpusMail[];
  /** The later half; all of a collection that nothing is fitted to. */
  measured: CorpusMail[];
}

export function splitCorpus(mails: readonly CorpusMail[]): Split {
  const { corpus } = mails[0] ?? {};
  if (!corpus?.isFitted) return { fitted: [], measured: [...mails] };
  if (corpus.kind === 'html') return splitByPublisher(mails);
  // A message without a date is in neither half.
  const dated = mails
    .filter(({ receivedAt }) => receivedAt)
    .toSorted((a, b) => a.receivedAt!.getTime() - b.receivedAt!.getTime() || (a.name < b.name ? -1 : 1));
  const half = Math.floor(dated.length / 2);
  return { fitted: dated.slice(0, half), measured: dated.slice(half) };
}

/** Templates of one publisher resemble each other: they stand on one side. */
function splitByPublisher(mails: readonly CorpusMail[]): Split {
  const publishers = [...new Set(mails.map(publisherOf))].sort();
  const isFitted = (mail: CorpusMail): boolean => publishers.indexOf(publisherOf(mail)) % 2 === 0;
  return { fitted: mails.filter(isFitted), measured: mails.filter((mail) => !isFitted(mail)) };
}

const publisherOf = ({ name }: CorpusMail): string => name.split('/')[0] ?? '';

/** Picks this many of them, the same ones each time, in whichever order they come. */
export function sampleOf(mails: readonly CorpusMail[], count: number): CorpusMail[] {
  return mails.toSorted((a, b) => (a.digest < b.digest ? -1 : 1)).slice(0, count);
}
