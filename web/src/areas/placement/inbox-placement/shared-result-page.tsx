import { Button, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { sentenceOf, statusOf } from '../../../ground/api.ts';
import { Logo } from '../../../ground/brand/logo.tsx';
import { publicPlacementQuery } from '../../../shared/mail/mail-api.ts';
import { TestState } from '../../../shared/mail/test-state.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { SchemeSwitch } from '../../../ground/shell/scheme-switch.tsx';
import { TroubleBanner } from '../../../ground/shell/trouble.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { nameBySubject } from '../../../ground/words.ts';
import shareClasses from '../../../ground/shell/public-page.module.css';
import { ResultBody } from './result-body.tsx';

function Closed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const status = statusOf(error);
  if (status === 410)
    return (
      <Notice isPage title="This link has expired">
        Links to shared results expire. Ask the sender for a new link.
      </Notice>
    );
  if (status === 404 || status === 400)
    return (
      <Notice isPage title="This link is no longer available">
        The link was disabled or replaced, or its result was deleted. Ask the sender for a new link.
      </Notice>
    );
  return (
    <Notice isPage title="The result could not be loaded" action={<Button onClick={onRetry}>Try again</Button>}>
      {sentenceOf(error)}
    </Notice>
  );
}

/** A placement result for anyone with its link, read only. */
export function SharedResultPage() {
  const { shareId } = useParams({ from: '/shared-placement/$shareId' });
  const { data: result, error, isPending, refetch } = useQuery(publicPlacementQuery(shareId));
  return (
    <>
      <a href="#content" className={shareClasses.skip}>
        Skip to the content
      </a>
      <header className={shareClasses.header}>
        <Logo />
        <span className={shareClasses.shared}>Shared placement</span>
        <span className={shareClasses.end}>
          <SchemeSwitch />
        </span>
      </header>
      <TroubleBanner />
      <main id="content" tabIndex={-1} className={shareClasses.main}>
        {error && !result && <Closed error={error} onRetry={() => void refetch()} />}
        {isPending && <Loader size="sm" className={shareClasses.loader} aria-label="Loading" />}
        {result && (
          <>
            <PageHead
              title={nameBySubject(result.subject)}
              lead={
                <>
                  <When at={new Date(result.created_at)} /> · {result.sender} <TestState status={result.status} />
                </>
              }
            />
            <ResultBody result={result} isPublic />
          </>
        )}
      </main>
    </>
  );
}
