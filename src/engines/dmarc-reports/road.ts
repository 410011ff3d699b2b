// The road from no policy to p=reject: which step is next, and what speaks for it.
import type { Assessment } from './assess.ts';
import type { PolicyRecord } from './policy-record.ts';

/** Galley's own thresholds: no standard names any. */
const ROAD_DAYS = 14;
const ROAD_MESSAGES = 100;
const ROAD_FAILING = 0.001;

/** The record that applies to a domain. */
export interface AppliedRecord {
  /** `p` is what it asks for at this domain; undefined: there is none, or DNS did not say. */
  record: PolicyRecord | undefined;
  /** The domain above whose record it is; null: the domain's own. */
  inheritedFrom: string | null;
  /** False: DNS did not say. */
  isKnown: boolean;
  /** Whether its reports come here, as far as DNS says. */
  reportsHere: boolean;
}

interface RoadFacts extends AppliedRecord {
  assessment: Assessment;
  organizations: number;
  /** Days with reports, and days of which reports say that p was quarantine or reject, without a trial. */
  days: number;
  enforcedDays: number;
}

interface RoadStep {
  id: 'record' | 'reports' | 'alignment' | 'quarantine' | 'held' | 'reject';
  title: string;
  state: 'done' | 'next' | 'later';
  /** What was measured. */
  evidence: string;
  /** What to do; empty when it is done. */
  advice: string;
}

const counted = (count: number): string => count.toLocaleString('en');
const many = (count: number, word: string): string => `${counted(count)} ${word}${count === 1 ? '' : 's'}`;
const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

function policyWords({ record, inheritedFrom, isKnown }: AppliedRecord): string {
  if (!isKnown) return 'DNS did not say whether there is a record.';
  if (!record) return 'No record was found.';
  const policy = inheritedFrom === null ? `p=${record.p ?? '?'}` : `${record.p ?? '?'} for this domain`;
  const whose = inheritedFrom === null ? 'The record' : `The record of ${inheritedFrom}`;
  return `${whose} says ${policy}.${record.isTesting ? ' It is a trial (t=y).' : ''}`;
}

type Judged = Omit<RoadStep, 'state'> & { isDone: boolean };

function firstSteps(facts: RoadFacts): Judged[] {
  const { record, reportsHere, assessment, organizations, days } = facts;
  const { messages, passing, yours } = assessment;
  const own = passing + yours;
  const failing = own === 0 ? 0 : yours / own;
  return [
    {
      id: 'record',
      title: 'A record that sends reports here',
      isDone: record !== undefined && reportsHere,
      evidence: `${policyWords(facts)}${record ? ` Its reports ${reportsHere ? 'come here' : 'do not come here'}.` : ''}`,
      advice: !facts.isKnown
        ? 'Look again when the name servers of the domain answer.'
        : 'Publish the record below. With p=none nothing changes for your mail; reports begin to arrive.',
    },
    {
      id: 'reports',
      title: `Reports of ${ROAD_DAYS} days`,
      isDone: days >= ROAD_DAYS && messages >= ROAD_MESSAGES,
      evidence: `${many(messages, 'message')}, told by ${many(organizations, 'organization')} on ${many(days, 'day')}.`,
      advice: `Wait until there are ${ROAD_DAYS} days and ${ROAD_MESSAGES} messages: fewer say too little.`,
    },
    {
      id: 'alignment',
      title: 'Your own mail passes',
      isDone: own > 0 && failing <= ROAD_FAILING,
      evidence:
        own === 0
          ? 'Nothing that looks like yours was reported.'
          : `Of ${many(own, 'message')} that look like yours, ${counted(yours)} fail (${percent(failing)}).`,
      advice: `Let every source of yours sign with your domain; at most ${percent(ROAD_FAILING)} should fail.`,
    },
  ];
}

function lastSteps(facts: RoadFacts): Judged[] {
  const { record, enforcedDays } = facts;
  const isStrict = record?.p === 'quarantine' || record?.p === 'reject';
  return [
    {
      id: 'quarantine',
      title: 'p=quarantine',
      isDone: isStrict && !(record.p === 'quarantine' && record.isTesting),
      evidence: policyWords(facts),
      advice: 'Publish p=quarantine: what fails goes to the spam folder and can still be found.',
    },
    {
      id: 'held',
      title: `${ROAD_DAYS} days of quarantine`,
      isDone: enforcedDays >= ROAD_DAYS,
      evidence: `Reports of ${many(enforcedDays, 'day')} say that the policy was quarantine or reject.`,
      advice: 'Wait, and watch for sources of yours that fail.',
    },
    {
      id: 'reject',
      title: 'p=reject',
      isDone: record?.p === 'reject' && !record.isTesting,
      evidence: policyWords(facts),
      advice: 'Publish p=reject: receivers are asked to refuse what fails.',
    },
  ];
}

/** The steps in their order. The first that is not done is `next`, unless the policy is at its end already. */
export function roadOf(facts: RoadFacts): RoadStep[] {
  const steps = [...firstSteps(facts), ...lastSteps(facts)];
  const next = steps.findIndex(({ isDone }) => !isDone);
  return steps.map(({ isDone, ...step }, place) => ({
    ...step,
    advice: isDone ? '' : step.advice,
    state: isDone ? 'done' : place === next ? 'next' : 'later',
  }));
}

/** The policy to publish at this point of the road: never a weaker one than there is. */
export function nextPolicy(steps: readonly RoadStep[], now: PolicyRecord['p']): 'none' | 'quarantine' | 'reject' {
  const isDone = (id: RoadStep['id']): boolean => steps.find((step) => step.id === id)?.state === 'done';
  if (now === 'reject' || (isDone('record') && isDone('reports') && isDone('alignment') && isDone('held')))
    return 'reject';
  if (now === 'quarantine' || (isDone('record') && isDone('reports') && isDone('alignment'))) return 'quarantine';
  return 'none';
}
