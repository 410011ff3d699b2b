import { Alert, Button, Loader, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { api, statusOf } from '../../../ground/api.ts';
import { ReloadIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { NotLoaded } from '../../../shared/report/check-gate.tsx';
import { RenameButton } from '../../../shared/report/rename-button.tsx';
import { ReportMenu } from '../../../shared/report/report-menu.tsx';
import reportClasses from '../../../shared/report/report.module.css';
import { TabNav } from '../../../shared/report/tab-nav.tsx';
import { announce } from '../../../ground/shell/announce.ts';
import { laterPart } from '../../../ground/shell/later-part.tsx';
import { PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { When } from '../../../ground/shell/when.tsx';
import { ChecksPart } from './checks-part.tsx';
import { gateQuery, isRunning, type Gate } from './gate-api.ts';
import { NoSuchGate } from './no-such-gate.tsx';
import { PolicyDetails } from './policy-details.tsx';
import { useDeleteGate } from './use-delete-gate.ts';
import { nextOf, useNextGate, useRunAgain } from './use-run-again.ts';
import { Verdict } from './verdict.tsx';

const ScreenshotsPart = laterPart(async () => (await import('./screenshots-part.tsx')).ScreenshotsPart);

function Parts({ gate: { items } }: { gate: Gate }) {
  const changed = items.screenshots.filter(({ outcome }) => outcome === 'changed' || outcome === 'not_made').length;
  const failing = items.counts?.failing ?? 0;
  const props = {
    to: '/gate/$gateId',
    params: { gateId: items.id },
    className: reportClasses.tab,
    activeProps: { 'aria-current': 'page' },
    resetScroll: false,
    replace: true,
  } as const;
  const { part } = useSearch({ from: '/shell/gate/$gateId' });
  return (
    <TabNav label="Gate results">
      <Link {...props} activeOptions={{ exact: true, includeSearch: part === 'screenshots' }}>
        Findings{' '}
        {failing > 0 && (
          <span className={reportClasses.tally} data-severity="error" aria-label={`${failing} failing`}>
            {failing}
          </span>
        )}
      </Link>
      <Link {...props} search={{ part: 'screenshots' }} activeOptions={{ exact: true, includeSearch: true }}>
        Screenshots{' '}
        <span
          className={reportClasses.tally}
          data-severity={changed ? 'error' : undefined}
          aria-label={changed ? `${changed} to review` : `${items.screenshots.length}`}
        >
          {changed || items.screenshots.length}
        </span>
      </Link>
    </TabNav>
  );
}

function Body({ gate }: { gate: Gate }) {
  const { part } = useSearch({ from: '/shell/gate/$gateId' });
  const { meta, items } = gate;
  if (isRunning(meta))
    return (
      <div className={reportClasses.checking} role="status">
        <Loader size="sm" aria-label="In progress" />
        <span>The checks are running. The verdict appears here when they finish.</span>
      </div>
    );
  if (items.verdict === null)
    return (
      <Alert color="red" title="The gate run failed">
        {meta.error ?? 'The service gave no reason.'}
      </Alert>
    );
  const hasPictures = items.screenshots.length > 0;
  return (
    <>
      <Verdict gate={items}>
        {items.policy && <PolicyDetails policy={items.policy} hasPictures={hasPictures} />}
      </Verdict>
      {hasPictures && <Parts gate={gate} />}
      <div className={hasPictures ? reportClasses.body : undefined}>
        {part === 'screenshots' && hasPictures ? (
          <Suspense fallback={<Skeleton height={220} />}>
            <ScreenshotsPart gate={items} />
          </Suspense>
        ) : (
          <ChecksPart gate={items} />
        )}
      </div>
    </>
  );
}

/** Announces the verdict to screen readers. */
function useAnnouncement({ meta, items }: Gate): void {
  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current && items.verdict)
      announce(items.verdict === 'pass' ? 'The gate passed.' : `The gate failed. ${items.reasons.join(' ')}`);
    wasRunning.current = isRunning(meta);
  }, [meta, items]);
}

function Loaded({ gate }: { gate: Gate }) {
  const { meta, items } = gate;
  const { canWrite } = useRole();
  const navigate = useNavigate();
  const askDelete = useDeleteGate(items, () => navigate({ to: '/gate' }));
  const again = useRunAgain(items);
  const prepareNext = useNextGate(items);
  useAnnouncement(gate);
  const title = items.name;
  return (
    <>
      <PageHead
        title={title}
        tabTitle={items.verdict ? `${items.verdict === 'pass' ? '✓' : '✗'} ${title} · Gate` : `${title} · Gate`}
        lead={
          <>
            <When at={new Date(meta.created_at)} />
            {items.baseline !== null && <> · baseline {items.baseline}</>}
          </>
        }
      >
        {items.verdict && (
          <ReportMenu
            formats={['sarif', 'junit', 'markdown', 'json', 'github', 'pretty']}
            reported={[
              {
                name: 'Report of this run',
                file: 'gate',
                load: (format) =>
                  api.call('GET /v1/inspect/gate/{id}/report', { path: { id: items.id }, query: { format } }),
              },
            ]}
          />
        )}
        {canWrite && !isRunning(meta) && (
          <Button
            variant="default"
            size="xs"
            leftSection={<ReloadIcon />}
            loading={again.isPending}
            onClick={() => again.mutate()}
          >
            Run again
          </Button>
        )}
        {canWrite && (
          <Button
            variant="default"
            size="xs"
            renderRoot={(props) => <Link to="/gate/new" search={nextOf(items)} {...props} onClick={prepareNext} />}
          >
            Check a new version
          </Button>
        )}
        {canWrite && <RenameButton id={items.id} noun="gate" name={title} shownBy={['gate', 'gates']} />}
        {canWrite && (
          <Button variant="default" size="xs" leftSection={<TrashIcon />} onClick={askDelete}>
            Delete
          </Button>
        )}
      </PageHead>
      <Body gate={gate} />
    </>
  );
}

/** One gate: its verdict, and what it is made from. */
export function GatePage() {
  const { gateId } = useParams({ from: '/shell/gate/$gateId' });
  const query = useQuery(gateQuery(gateId));
  if (query.data) return <Loaded gate={query.data} />;
  if (statusOf(query.error) === 404) return <NoSuchGate />;
  if (query.error) return <NotLoaded error={query.error} retry={() => void query.refetch()} />;
  return <Skeleton height={220} />;
}
