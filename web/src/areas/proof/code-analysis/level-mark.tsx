import classes from './code-page.module.css';
import { LEVEL_NAMES, type Level } from './support.ts';

/** Full, half, crossed or dotted: the shape says it without the color. */
export function LevelMark({ level, title }: { level: Level; title: string }) {
  return (
    <svg
      className={classes.level}
      data-level={level}
      width="15"
      height="15"
      viewBox="0 0 16 16"
      role="img"
      aria-label={LEVEL_NAMES[level]}
    >
      <title>{title}</title>
      {level === 'u' ? (
        <circle cx="8" cy="8" r="5.6" fill="none" stroke="currentColor" strokeWidth="1.4" strokeDasharray="2 2.4" />
      ) : (
        <circle
          cx="8"
          cy="8"
          r="6.2"
          fill={level === 'y' ? 'currentColor' : 'none'}
          stroke="currentColor"
          strokeWidth="1.5"
        />
      )}
      {level === 'a' && <path d="M8 1.8a6.2 6.2 0 0 0 0 12.4z" fill="currentColor" />}
      {level === 'n' && (
        <path d="m5.4 5.4 5.2 5.2m0-5.2-5.2 5.2" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
      )}
      {level === 'y' && (
        <path
          d="m5 8.2 2.1 2.1L11 6.2"
          fill="none"
          stroke="var(--sheet)"
          strokeWidth="1.6"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
    </svg>
  );
}
