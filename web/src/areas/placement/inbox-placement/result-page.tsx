import { Button, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { statusOf } from '../../../ground/api.ts';
import { ReloadIcon, ShareIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { placementResultQuery, type PlacementResult } from '../../../shared/mail/mail-api.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { TestState } from '../../../shared/mail/test-state.tsx';
import { NotLoaded } from '../../../shared/report/check-gate.tsx';
import { laterPart } from '../../../ground/shell/later-part.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { When } from '../../../ground/shell/when.tsx';
import { nameBySubject } from '../../../ground/words.ts';
import { useDeleteResult } from './placement-page.tsx';
import { ResultBody } from './result-body.tsx';
import { TrendOfList } from './trend.tsx';

const ShareDialog = laterPart(async () => (await import('./share-dialog.tsx')).ShareDialog);

/** One placement test, live while seeds fill in. */
export function ResultPage() {
  const { resultId } = useParams({ from: '/shell/placement/$resultId' });
  const query = useQuery(placementResultQuery(resultId));
  if (query.data) return <Loaded result={query.data} />;
  if (statusOf(query.error) === 404)
    return (
      <Notice
        isPage
        title="Placement test not found"
        action={<Button renderRoot={(props) => <Link to="/placement" {...props} />}>All placement tests</Button>}
      >
        The test was deleted, its retention period ended, or it belongs to another account.
      </Notice>
    );
  if (query.error) return <NotLoaded error={query.error} retry={() => void query.refetch()} />;
  return <Skeleton height={240} />;
}

function Loaded({ result }: { result: PlacementResult }) {
  const { canWrite } = useRole();
  const navigate = useNavigate();
  const [isShareOpen, share] = useDisclosure();
  const askDelete = useDeleteResult(result, () => void navigate({ to: '/placement' }));
  const lead = (
    <>
      <When at={new Date(result.created_at)} /> · {result.sender} ·{' '}
      <Link to="/placement/lists/$address" params={{ address: result.keybox_email }} className={mailClasses.link}>
        {result.seedlist_name || result.keybox_email}
      </Link>{' '}
      <TestState status={result.status} />
    </>
  );
  return (
    <>
      <PageHead
        title={nameBySubject(result.subject)}
        tabTitle={`${nameBySubject(result.subject)} · Placement`}
        lead={lead}
      >
        {canWrite && (
          <>
            <Button
              variant="default"
              size="xs"
              leftSection={<ReloadIcon />}
              renderRoot={(props) => <Link to="/placement/new" search={{ list: result.keybox_email }} {...props} />}
            >
              Run again
            </Button>
            <Button variant="default" size="xs" leftSection={<ShareIcon />} onClick={share.open}>
              Share
            </Button>
            <Button variant="default" size="xs" leftSection={<TrashIcon />} onClick={askDelete}>
              Delete
            </Button>
          </>
        )}
      </PageHead>
      <ResultBody result={result} trend={<TrendOfList list={result.keybox_email} resultId={result.result_id} />} />
      <Suspense>{isShareOpen && <ShareDialog resultId={result.result_id} onClose={share.close} />}</Suspense>
    </>
  );
}
