import { count, percent } from '../../../ground/words.ts';
import type { WrittenPolicy } from './gate-api.ts';
import classes from './gate.module.css';

const FAILS_AT: Record<WrittenPolicy['fail_on'], string> = {
  error: 'errors fail',
  warning: 'warnings and errors fail',
  info: 'notes, warnings and errors fail',
  never: 'only limits fail',
};

function shortly({ fail_on: failOn, rules, ignore, screenshots }: WrittenPolicy, hasPictures: boolean): string {
  const facts = [
    FAILS_AT[failOn],
    ...(hasPictures ? [`${percent(screenshots.difference_max)} of a screenshot may differ`] : []),
    ...(Object.keys(rules).length > 0 ? [`${count(Object.keys(rules).length, 'rule')} changed`] : []),
    ...(ignore.length > 0 ? [count(ignore.length, 'exception')] : []),
  ];
  return facts.join(', ');
}

/** The policy that was applied: shortly, and as a file has it. */
export function PolicyDetails({ policy, hasPictures }: { policy: WrittenPolicy; hasPictures: boolean }) {
  return (
    <details className={classes.policy}>
      <summary>Policy: {shortly(policy, hasPictures)}</summary>
      <pre tabIndex={0} aria-label="Full policy">
        {JSON.stringify(policy, null, 2)}
      </pre>
    </details>
  );
}
