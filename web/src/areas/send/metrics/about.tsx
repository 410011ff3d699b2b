import { Link } from '@tanstack/react-router';
import { count } from '../../../ground/words.ts';
import classes from './statistics.module.css';
import type { Tracked } from './use-tracked.ts';

const NAMED = 5;

const named = (names: readonly string[]): string =>
  names.length <= NAMED
    ? names.join(', ')
    : `${names.slice(0, NAMED).join(', ')} and ${count(names.length - NAMED, 'more', 'more')}`;

/** Which domains do not track what their readers do. */
export function TrackingNote({ tracked: { untracked, isNone } }: { tracked: Tracked }) {
  const parts = (['open', 'click'] as const).filter((kind) => untracked[kind].length > 0);
  if (parts.length === 0) return null;
  return (
    <p className={classes.note}>
      {parts.map((kind) => (
        <span key={kind}>
          Tracking of {kind}s is off now for {isNone[kind] ? 'every domain here' : <bdi>{named(untracked[kind])}</bdi>}
          .{' '}
        </span>
      ))}
      {parts.some((kind) => !isNone[kind]) && 'Shares of opens and clicks are of all delivered mail, also of theirs. '}
      Tracking is switched on by domain, on its page Tracking under <Link to="/domains">Sending domains</Link>, and
      needs an address that readers reach (<code>GALLEY_PUBLIC_URL</code>).
    </p>
  );
}

/** What is counted, what is not, and since when. */
export function About() {
  return (
    <details className={classes.aboutAll}>
      <summary>What is counted, and what is not</summary>
      <ul>
        <li>
          Every recipient of a message counts by itself. Figures are of the moment at which something happened: an
          opening today of a message of last week counts today.
        </li>
        <li>Days and months begin at 00:00 UTC. What happens is in the figures within seconds.</li>
        <li>
          Figures by the hour are kept for 60 days, by the day and the month for 400 days. What is older is not shown as
          0.
        </li>
        <li>
          Opens and clicks are the first of each recipient. What programs did, such as scanners of links and mail
          programs that load pictures for nobody, is left out of them, and is in “All openings” and “All clicks”.
        </li>
        <li>
          Opens are too few: an opening counts when the picture in the message is loaded, and many mail programs do not
          load pictures until they are asked to. Messages without HTML have no such picture.
        </li>
        <li>Where nothing is tracked, opens and clicks are “not measured”, which is not 0.</li>
        <li>Captured messages and messages in test mode count like others.</li>
        <li>Complaints are those that a provider reported back. Many providers report none.</li>
        <li>Subaccounts are not in the figures of this account: switch to one to see its own.</li>
      </ul>
    </details>
  );
}
