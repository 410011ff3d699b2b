import { count } from '../../ground/words.ts';
import type { ProviderStats, ReceiverResult, SeedResult } from './mail-api.ts';
import classes from './mail.module.css';

/** The outcomes of a message, best first. */
export const OUTCOMES = ['inbox', 'category', 'spam', 'rejected', 'missing', 'unknown', 'pending'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const OUTCOME_NAMES: Record<Outcome, string> = {
  inbox: 'Inbox',
  category: 'Tab or folder',
  spam: 'Spam',
  rejected: 'Rejected',
  missing: 'Missing',
  unknown: 'Not readable',
  pending: 'In progress',
};

type Counts = Record<Outcome, number>;

function noCounts(): Counts {
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Counts;
}

export function countsOf(outcomes: readonly Outcome[]): Counts {
  const counts = noCounts();
  for (const outcome of outcomes) counts[outcome]++;
  return counts;
}

/** Of one provider's numbers: tabs count apart from the inbox, and rejected messages apart from missing ones. */
export function countsOfStats({
  inbox,
  spam,
  missing,
  rejected,
  undetermined,
  pending,
  categories,
}: ProviderStats): Counts {
  const primary = categories['primary'] ?? 0;
  return {
    inbox: primary,
    category: Math.max(0, inbox - primary),
    spam,
    rejected,
    missing: Math.max(0, missing - rejected),
    unknown: undetermined,
    pending,
  };
}

export function outcomeOfReceiver({ placement, folder }: ReceiverResult): Outcome {
  if (placement === 'inbox') return folder ? 'category' : 'inbox';
  return placement ?? 'pending';
}

export function outcomeOfSeed({
  state,
  destination,
  extensions,
  smtp_reply: reply,
  delivered_at: handedOverAt,
}: SeedResult): Outcome {
  if (state === 'pending') return 'pending';
  if (state === 'undetermined') return 'unknown';
  // A message that no server took was refused for good, unless it was only put off each time.
  if (state === 'missing') return handedOverAt === null && !reply?.startsWith('4') ? 'rejected' : 'missing';
  if (destination === 'spam') return 'spam';
  const category = extensions?.category ?? '';
  return category === '' || category === 'primary' ? 'inbox' : 'category';
}

/** `3 Inbox, 1 Spam`. */
export function countsInWords(counts: Counts): string {
  return (
    OUTCOMES.filter((outcome) => counts[outcome] > 0)
      .map((outcome) => `${counts[outcome]} ${OUTCOME_NAMES[outcome].toLowerCase()}`)
      .join(', ') || 'nothing yet'
  );
}

function totalOf(counts: Counts): number {
  return OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);
}

interface PlacementBarProps {
  counts: Counts;
  /** What the bar shows, for screen readers. */
  label: string;
  isSmall?: boolean;
}

/** A bar whose parts are the outcomes of messages. */
export function PlacementBar({ counts, label, isSmall }: PlacementBarProps) {
  const total = totalOf(counts);
  return (
    <div
      className={classes.bar}
      data-small={isSmall || undefined}
      role="img"
      aria-label={`${label}: ${countsInWords(counts)}`}
    >
      {OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => (
        <span
          key={outcome}
          className={classes.part}
          data-outcome={outcome}
          style={{ width: `calc(${(counts[outcome] / total) * 100}% - 1px)` }}
          title={`${OUTCOME_NAMES[outcome]}: ${count(counts[outcome], 'seed')}`}
        />
      ))}
    </div>
  );
}

export function Legend({ outcomes }: { outcomes: readonly Outcome[] }) {
  return (
    <ul className={classes.legend} aria-label="Colors">
      {outcomes.map((outcome) => (
        <li key={outcome}>
          <span className={classes.swatch} data-outcome={outcome} />
          {OUTCOME_NAMES[outcome]}
        </li>
      ))}
    </ul>
  );
}

/** The color of an outcome with its name; the name of the tab or folder where there is one. */
export function OutcomeMark({ outcome, folder }: { outcome: Outcome; folder?: string | null | undefined }) {
  return (
    <span className={classes.outcome}>
      <span className={classes.swatch} data-outcome={outcome} />
      {folder && outcome === 'category'
        ? `${folder.charAt(0).toUpperCase()}${folder.slice(1)}`
        : OUTCOME_NAMES[outcome]}
    </span>
  );
}
