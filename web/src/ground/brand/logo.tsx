import classes from './logo.module.css';

/** The mark: a galley, the open tray that set type is proofed from, and the reader's tick. */
function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg
      className={classes.mark}
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      strokeWidth="2.5"
      strokeLinecap="square"
      aria-hidden="true"
    >
      <path className={classes.line} d="M25 4.25H5.25v23.5H25" />
      <path className={classes.line} d="M10.5 10.25h13M10.5 16h7" />
      <path className={classes.tick} strokeWidth="3" d="m12 21.6 3.4 3.3L26 14.6" />
    </svg>
  );
}

export function Logo({ size = 26 }: { size?: number }) {
  return (
    <span className={classes.logo}>
      <Mark size={size} />
      <span className={classes.word} style={{ fontSize: size * 0.86 }}>
        Galley
      </span>
    </span>
  );
}
