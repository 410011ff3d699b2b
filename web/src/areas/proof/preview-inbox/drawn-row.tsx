import classes from './inbox.module.css';
import type { Inbox, Row } from './inbox-api.ts';

/** Text that a stranger wrote: its direction is its own, and reaches nothing around it. */
export function Foreign({ children }: { children: string }) {
  return <bdi dir="auto">{children}</bdi>;
}

interface AvatarProps {
  avatar: Row['avatar'];
  logo: Inbox['logo'];
}

/** Decoration: what it means stands below the row. */
function Avatar({ avatar: { kind, text }, logo }: AvatarProps) {
  if (kind === 'none' || kind === 'unknown') return null;
  if (kind === 'logo' && logo.picture) return <img className={classes.avatar} src={logo.picture} alt="" />;
  const letters = { logo: 'BIMI', letters: text, generic: '' }[kind];
  return (
    <span className={classes.avatar} data-kind={kind} aria-hidden>
      {kind === 'generic' ? (
        <svg viewBox="0 0 24 24" width="22" height="22" fill="currentColor">
          <circle cx="12" cy="8.5" r="4" />
          <path d="M4 20c1-4.5 4-6.5 8-6.5s7 2 8 6.5z" />
        </svg>
      ) : (
        letters
      )}
    </span>
  );
}

const TIME = '10:42';

/** A row of a list of messages, drawn; in one scheme. */
export function DrawnRow({ row, logo, scheme }: { row: Row; logo: Inbox['logo']; scheme: 'light' | 'dark' }) {
  const { subject, preview, sender, layout } = row;
  const name = (
    <span className={classes.sender}>{sender === null ? <i>no sender</i> : <Foreign>{sender}</Foreign>}</span>
  );
  const title = (
    <span className={classes.subject}>
      {subject.shown === '' ? '(no subject)' : <Foreign>{subject.shown}</Foreign>}
    </span>
  );
  const text = preview && preview.shown !== '' && (
    <span className={classes.preview} data-open={preview.is_cut === null || undefined}>
      <Foreign>{preview.shown}</Foreign>
    </span>
  );
  const time = <span className={classes.time}>{TIME}</span>;
  return (
    <div className={classes.row} data-scheme={scheme} data-layout={layout}>
      <Avatar avatar={row.avatar} logo={logo} />
      <div className={classes.lines}>
        {layout === 'subject-first' ? (
          <>
            <span className={classes.first}>
              {title}
              {time}
            </span>
            <span className={classes.joined}>
              {name} {text}
            </span>
          </>
        ) : (
          <>
            <span className={classes.first}>
              {name}
              {layout === 'stack' && time}
            </span>
            <span className={classes.rest}>
              {title}
              {text}
            </span>
            {layout === 'line' && time}
          </>
        )}
      </div>
    </div>
  );
}
