import { ago, inUtc, moment } from '../words.ts';

/** A moment in the reader's time zone; in UTC when the reader points at it. */
export function When({ at }: { at: Date }) {
  return (
    <time dateTime={at.toISOString()} title={inUtc(at)}>
      {moment(at)}
    </time>
  );
}

/** How far from now a moment is; the exact time when the reader points at it. */
export function Ago({ at }: { at: Date }) {
  return (
    <time dateTime={at.toISOString()} title={`${moment(at)} (${inUtc(at)})`}>
      {ago(at)}
    </time>
  );
}
