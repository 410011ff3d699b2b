import { Button, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { publicShareQuery, sentenceOf, statusOf } from '../../../ground/api.ts';
import { Logo } from '../../../ground/brand/logo.tsx';
import { proofClients, ProofContext, type Proof } from '../../../shared/proof/proof.ts';
import { Notice } from '../../../ground/shell/page.tsx';
import { SchemeSwitch } from '../../../ground/shell/scheme-switch.tsx';
import { TroubleBanner } from '../../../ground/shell/trouble.tsx';
import { fromUnix } from '../../../ground/words.ts';
import classes from '../../../ground/shell/public-page.module.css';

function Closed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const status = statusOf(error);
  if (status === 410)
    return (
      <Notice isPage title="This link has expired">
        Links to shared tests expire. Ask the sender for a new link.
      </Notice>
    );
  if (status === 404 || status === 400)
    return (
      <Notice isPage title="This link is no longer available">
        The link was disabled or replaced, or its test was deleted. Ask the sender for a new link.
      </Notice>
    );
  return (
    <Notice isPage title="The test could not be loaded" action={<Button onClick={onRetry}>Try again</Button>}>
      {sentenceOf(error)}
    </Notice>
  );
}

/** The frame of what was shared: for anyone with the link, read only. */
export function ShareLayout() {
  const { uuid } = useParams({ from: '/share/$uuid' });
  const share = useQuery(publicShareQuery(uuid));
  const proof = useMemo<Proof | null>(
    () =>
      share.data
        ? {
            title: share.data.subject,
            createdAt: fromUnix(share.data.date),
            base: `/share/${uuid}`,
            testId: undefined,
            clients: proofClients({ results: share.data.results }),
          }
        : null,
    [uuid, share.data],
  );
  return (
    <>
      <a href="#content" className={classes.skip}>
        Skip to the content
      </a>
      <header className={classes.header}>
        <Logo />
        <span className={classes.shared}>Shared test</span>
        <span className={classes.end}>
          <SchemeSwitch />
        </span>
      </header>
      <TroubleBanner />
      <main id="content" tabIndex={-1} className={classes.main}>
        {share.error && !proof && <Closed error={share.error} onRetry={() => void share.refetch()} />}
        {share.isPending && <Loader size="sm" className={classes.loader} aria-label="Loading" />}
        {proof && (
          <ProofContext value={proof}>
            <Outlet />
          </ProofContext>
        )}
      </main>
    </>
  );
}
