import { ago, inUtc, moment } from '../words.ts';

/** A moment in the reader's own time, with its zone; in UTC for whoever points at it. */
export function When({ at }: { at: Date }) {
  return (
    <time dateTime={at.toISOString()} title={inUtc(at)}>
      {moment(at)}
    </time>
  );
}

/** How far from now a moment is; when that is, for whoever points at it. */
export function Ago({ at }: { at: Date }) {
  return (
    <time dateTime={at.toISOString()} title={`${moment(at)} (${inUtc(at)})`}>
      {ago(at)}
    </time>
  );
}
