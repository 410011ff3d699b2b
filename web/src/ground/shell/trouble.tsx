import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { needsPageAgain, sentenceOf } from '../api.ts';
import classes from './shell.module.css';
import { tryNow, useTrouble } from './retries.ts';

/** Seconds until then, counted down. */
function useSecondsUntil(at: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (at === undefined) return;
    setNow(Date.now());
    const ticking = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(ticking);
  }, [at]);
  return at === undefined ? 0 : Math.max(0, Math.ceil((at - now) / 1000));
}

/** When what failed is tried again, in words; undefined where nothing failed. */
export function useTryingAgain(): string | undefined {
  const trouble = useTrouble();
  const seconds = useSecondsUntil(trouble?.nextAt);
  if (!trouble) return undefined;
  return trouble.nextAt === undefined ? 'Trying again…' : `Trying again in ${seconds} s.`;
}

/** Says over every page that something did not answer, why, and when it is tried again. */
export function TroubleBanner() {
  const trouble = useTrouble();
  const again = useTryingAgain();
  if (!trouble) return null;
  if (needsPageAgain(trouble.error))
    return (
      <div className={classes.trouble} role="region" aria-label="Connection">
        <span role="alert">{sentenceOf(trouble.error)}</span>
        <Button size="compact-xs" variant="default" onClick={() => globalThis.location.reload()}>
          Load again
        </Button>
      </div>
    );
  return (
    <div className={classes.trouble} role="region" aria-label="Connection">
      <span role="alert">{sentenceOf(trouble.error)} This page may be out of date.</span>
      <span className={classes.again}>{again}</span>
      <Button size="compact-xs" variant="default" loading={trouble.nextAt === undefined} onClick={() => void tryNow()}>
        Try now
      </Button>
    </div>
  );
}
