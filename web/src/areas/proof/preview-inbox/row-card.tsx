import { calendarDay } from '../../../ground/words.ts';
import { DrawnRow } from './drawn-row.tsx';
import { roomWords, type Inbox, type Row, type Source } from './inbox-api.ts';
import classes from './inbox.module.css';

const AVATARS: Record<Row['avatar']['kind'], string> = {
  logo: 'logo',
  letters: 'letters',
  generic: 'generic picture',
  none: 'none',
  unknown: 'not known',
};

/** Sources, shown on demand. */
export function Sources({ sources }: { sources: readonly (Omit<Source, 'of'> & { of?: Source['of'] })[] }) {
  if (sources.length === 0) return null;
  return (
    <details className={classes.sources}>
      <summary>Sources</summary>
      <ul>
        {sources.map(({ of, what, url, date, strength }, place) => (
          <li key={place}>
            {of && `${of[0]!.toUpperCase()}${of.slice(1)}: `}
            <a href={url} target="_blank" rel="noreferrer">
              {what}
            </a>{' '}
            <span>
              {strength}, {/^\d{4}-\d\d-\d\d$/.test(date) ? calendarDay(date) : date}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function cutWords({ is_cut: isCut, room }: Row['subject']): string {
  const words = roomWords(room);
  return isCut === null ? words : isCut ? `${words}, cut` : `${words}, shown whole`;
}

/** The row of one client, in light and dark, and what it rests on. */
export function RowCard({ row, logo }: { row: Row; logo: Inbox['logo'] }) {
  const { name, system, subject, preview, avatar, notes, sources } = row;
  return (
    <article className={classes.card} data-layout={row.layout} aria-label={name}>
      <h3>
        {name} <span>{system} · simulated</span>
      </h3>
      <div className={classes.pair}>
        <DrawnRow row={row} logo={logo} scheme="light" />
        <DrawnRow row={row} logo={logo} scheme="dark" />
      </div>
      <dl className={classes.facts}>
        <div>
          <dt>Subject</dt>
          <dd>{cutWords(subject)}</dd>
        </div>
        <div>
          <dt>Preview</dt>
          <dd>{preview ? cutWords(preview) : 'this list shows none'}</dd>
        </div>
        <div>
          <dt>Avatar</dt>
          <dd>{AVATARS[avatar.kind]}</dd>
        </div>
      </dl>
      {[avatar.note, ...notes]
        .filter((note) => note)
        .map((note) => (
          <p key={note} className={classes.note}>
            <bdi dir="auto">{note}</bdi>
          </p>
        ))}
      <Sources sources={sources} />
    </article>
  );
}
