import { Chip, TestState } from '../../../shared/mail/test-state.tsx';
import { SeverityMark } from '../../../shared/report/severity.tsx';
import { count } from '../../../ground/words.ts';
import classes from './gate.module.css';
import type { GateSummary } from './gate-api.ts';

const STATES: Record<string, string> = { Processing: 'processing', Failed: 'failed' };

/** Passes, fails, or how far it is. */
export function VerdictChip({ status, verdict }: Pick<GateSummary, 'status' | 'verdict'>) {
  if (verdict === null) return <TestState status={STATES[status] ?? 'failed'} />;
  return verdict === 'pass' ? <Chip tone="good">passed</Chip> : <Chip tone="bad">failed</Chip>;
}

/** How much was found, the worst first. */
export function Tallies({
  counts: { errors, warnings, infos, ignored },
}: {
  counts: NonNullable<GateSummary['counts']>;
}) {
  const tallies = [
    { severity: 'error', number: errors, words: count(errors, 'error') },
    { severity: 'warning', number: warnings, words: count(warnings, 'warning') },
    { severity: 'info', number: infos, words: count(infos, 'note') },
  ] as const;
  return (
    <span className={classes.tallies}>
      {tallies
        .filter(({ number }) => number > 0)
        .map(({ severity, words }) => (
          <span key={severity}>
            <SeverityMark severity={severity} size={14} />
            {words}
          </span>
        ))}
      {tallies.every(({ number }) => number === 0) && (
        <span>
          <SeverityMark severity="pass" size={14} />
          nothing found
        </span>
      )}
      {ignored > 0 && <span>{ignored} ignored</span>}
    </span>
  );
}
