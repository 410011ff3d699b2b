import { Foreign } from './drawn-row.tsx';
import type { Notification } from './inbox-api.ts';
import classes from './inbox.module.css';
import { Sources } from './row-card.tsx';

function Card({ one, scheme, isHidden = false }: { one: Notification; scheme: 'light' | 'dark'; isHidden?: boolean }) {
  const { app, title, subject, preview, unfolded, locked } = one;
  const text = unfolded?.preview ?? preview;
  return (
    <div className={classes.notification} data-scheme={scheme}>
      <span className={classes.app}>
        {app}
        <span>now</span>
      </span>
      {isHidden ? (
        <span className={classes.body}>{locked?.text}</span>
      ) : (
        <>
          <strong>{title === '' ? 'no sender' : <Foreign>{title}</Foreign>}</strong>
          <span>{subject === '' ? '(no subject)' : <Foreign>{subject}</Foreign>}</span>
          {text !== '' && (
            <span className={classes.body}>
              <Foreign>{text}</Foreign>
            </span>
          )}
        </>
      )}
    </div>
  );
}

/** What one phone shows while it is locked, in light and dark. */
export function LockScreen({ one }: { one: Notification }) {
  const { name, system, locked, unfolded, room, is_cut: isCut } = one;
  return (
    <article className={classes.card} aria-label={`${name}, lock screen`}>
      <h3>
        {name} <span>{system} · simulated</span>
      </h3>
      <div className={classes.pair}>
        <Card one={one} scheme="light" />
        <Card one={one} scheme="dark" />
      </div>
      <p className={classes.note}>
        About {room.characters} characters{isCut && ', cut'}.{unfolded && ' The text shows when it is unfolded.'}
      </p>
      {locked && (
        <>
          <p className={classes.note}>A locked phone hides the message instead: {locked.when}.</p>
          <div className={classes.pair}>
            <Card one={one} scheme="light" isHidden />
            <Card one={one} scheme="dark" isHidden />
          </div>
        </>
      )}
      <Sources sources={one.sources} />
    </article>
  );
}
