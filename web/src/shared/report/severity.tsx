import classes from './severity.module.css';
import type { Severity } from './report-api.ts';

export const SEVERITIES: Severity[] = ['error', 'warning', 'info', 'pass'];

export const SEVERITY_NAMES: Record<Severity, { one: string; many: string }> = {
  error: { one: 'Error', many: 'Errors' },
  warning: { one: 'Warning', many: 'Warnings' },
  info: { one: 'Note', many: 'Notes' },
  pass: { one: 'Passed', many: 'Passed' },
};

const PATHS: Record<Severity, string> = {
  error: 'm5.6 5.6 4.8 4.8M10.4 5.6l-4.8 4.8',
  warning: 'M8 4.6v4M8 11.2h.01',
  info: 'M8 7.4v4M8 4.8h.01',
  pass: 'm5 8.4 2.2 2.2L11.2 6',
};

/** Shape and color: neither says it alone. */
export function SeverityMark({ severity, size = 16 }: { severity: Severity; size?: number }) {
  return (
    <svg
      className={classes.mark}
      data-severity={severity}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      role="img"
      aria-label={SEVERITY_NAMES[severity].one}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {severity === 'warning' ? (
        <path className={classes.ground} d="M8 1.4 15 14H1z" />
      ) : (
        <circle className={classes.ground} cx="8" cy="8" r="6.8" />
      )}
      <path d={PATHS[severity]} />
    </svg>
  );
}
