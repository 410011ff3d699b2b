import { Button } from '@mantine/core';
import { percent } from './percent.ts';
import { RichText } from '../../../shared/report/rich-text.tsx';
import { SeverityMark } from '../../../shared/report/severity.tsx';
import type { Cause } from './emails-api.ts';
import classes from './emails.module.css';

const PLACES_SHOWN = 5;

function Places({ places, count }: Pick<Cause, 'places' | 'count'>) {
  const told = places.filter(({ snippet, line }) => snippet !== undefined || line !== undefined);
  if (told.length === 0) return null;
  return (
    <details className={classes.places}>
      <summary>{count === 1 ? 'One place' : `${count} places`}</summary>
      <ul>
        {told.slice(0, PLACES_SHOWN).map(({ line, snippet }, place) => (
          <li key={place}>
            {line !== undefined && <span>line {line} </span>}
            {snippet !== undefined && <code>{snippet}</code>}
          </li>
        ))}
      </ul>
      {count > Math.min(told.length, PLACES_SHOWN) && <p>The test’s own page shows all of them.</p>}
    </details>
  );
}

/** The repair page of a test in the dashboard, and its own page, are one. */
const REPAIRS: Readonly<Record<string, string>> = { accessibility: 'Repair', images: 'Make smaller' };

interface CauseCardProps {
  cause: Cause;
  /** Undefined where the reader may not write. */
  onIgnore: (() => void) | undefined;
}

/** One cause: what is wrong, who meets it, and what can be done. */
export function CauseCard({ cause, onIgnore }: CauseCardProps) {
  const { severity, message, fix, share, gain, clients, is_new: isNew, rule, actions, kind } = cause;
  return (
    <li className={classes.cause} aria-label={rule}>
      <SeverityMark severity={severity} />
      <div className={classes.what}>
        <p className={classes.message}>
          <RichText text={message} />
          {isNew && <span className={classes.fresh}>new in this version</span>}
        </p>
        {fix && (
          <p className={classes.fix}>
            <RichText text={fix} />
          </p>
        )}
        <p className={classes.facts}>
          {share === 1 ? 'Any reader may meet it.' : `${percent(share)} of readers meet it.`} Repairing it gains {gain}{' '}
          of 100 readers a whole email.
          {clients.length > 0 &&
            ` In ${clients.slice(0, 4).join(', ')}${clients.length > 4 ? ` and ${clients.length - 4} more` : ''}.`}
        </p>
        <Places {...cause} />
        <div className={classes.actions}>
          <Button size="compact-sm" variant="default" component="a" href={actions.show}>
            Show me
          </Button>
          {actions.repair && REPAIRS[kind] && (
            <Button size="compact-sm" variant="default" component="a" href={actions.show}>
              {REPAIRS[kind]}
            </Button>
          )}
          {onIgnore && (
            <Button size="compact-sm" variant="subtle" onClick={onIgnore}>
              Ignore…
            </Button>
          )}
        </div>
      </div>
    </li>
  );
}
