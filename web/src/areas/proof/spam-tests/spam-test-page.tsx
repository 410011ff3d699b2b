import { Alert, Button, Loader, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, sentenceOf, statusOf } from '../../../ground/api.ts';
import { TrashIcon } from '../../../ground/brand/icons.tsx';
import { severityOfResult } from '../../../shared/mail/authentication.tsx';
import { isUnderWay, spamTestQuery, type SpamAnalysis, type SpamTest } from '../../../shared/mail/mail-api.ts';
import reportClasses from '../../../shared/report/report.module.css';
import { RenameButton } from '../../../shared/report/rename-button.tsx';
import { TabNav } from '../../../shared/report/tab-nav.tsx';
import { NotLoaded } from '../../../shared/report/check-gate.tsx';
import type { Severity } from '../../../shared/report/report-api.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { When } from '../../../ground/shell/when.tsx';
import { AuthenticationPart } from './authentication-part.tsx';
import { ChecklistPart } from './checklist-part.tsx';
import { FiltersPart } from './filters-part.tsx';
import { ReceiversPart } from './receivers-part.tsx';
import { receiversOf } from './spam-facts.ts';
import type { Part } from './spam-search.ts';
import { Verdict } from './verdict.tsx';

const PART_NAMES: Record<Part, string> = {
  receivers: 'Receivers',
  filters: 'Filters',
  authentication: 'Authentication',
  checklist: 'Bulk sender rules',
};

interface Tally {
  count: number;
  severity: Severity;
}

function tallyOf(part: Part, test: SpamTest, analysis: SpamAnalysis | null): Tally | undefined {
  if (part === 'receivers') {
    const bad = receiversOf(test).filter(({ status }) => status === 'failed').length;
    return bad ? { count: bad, severity: 'error' } : undefined;
  }
  if (!analysis) return undefined;
  if (part === 'filters') {
    const hits = analysis.filters.flatMap(({ rules }) => rules).filter(({ points }) => points > 0).length;
    return hits
      ? { count: hits, severity: analysis.filters.some(({ verdict }) => verdict === 'spam') ? 'error' : 'warning' }
      : undefined;
  }
  if (part === 'authentication') {
    const bad = analysis.authentication
      .map(({ method, result }) => severityOfResult(method, result))
      .filter((severity) => severity === 'error' || severity === 'warning');
    return bad.length ? { count: bad.length, severity: bad.includes('error') ? 'error' : 'warning' } : undefined;
  }
  const { failed, warnings } = analysis.bulk_sender;
  return failed + warnings ? { count: failed + warnings, severity: failed ? 'error' : 'warning' } : undefined;
}

function Parts({ test }: { test: SpamTest }) {
  return (
    <TabNav label="Test results">
      {(Object.keys(PART_NAMES) as Part[]).map((one) => {
        const tally = tallyOf(one, test, test.analysis);
        return (
          <Link
            key={one}
            to="/spam/$spamTestId"
            params={{ spamTestId: test.id }}
            search={one === 'receivers' ? {} : { part: one }}
            resetScroll={false}
            replace
            className={reportClasses.tab}
            activeProps={{ 'aria-current': 'page' }}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {PART_NAMES[one]}
            {tally && (
              <span
                className={reportClasses.tally}
                data-severity={tally.severity}
                aria-label={`${tally.count} to review`}
              >
                {tally.count}
              </span>
            )}
          </Link>
        );
      })}
    </TabNav>
  );
}

function useDelete(test: SpamTest): () => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    try {
      await api.call('DELETE /v1/inspect/spam/{spam_test_id}', { path: { spam_test_id: test.id } });
      await queries.invalidateQueries({ queryKey: ['spam-tests'] });
      await navigate({ to: '/spam' });
    } catch (error) {
      tell({ color: 'red', title: 'The test was not deleted', message: sentenceOf(error) });
    }
  };
  return () =>
    ask({
      title: 'Delete this spam test?',
      text: `“${test.name}”: its results are deleted. This cannot be undone.`,
      confirm: 'Delete',
      onConfirm: () => void remove(),
    });
}

function Lead({ test }: { test: SpamTest }) {
  const envelope = test.analysis?.envelope;
  const as = [
    test.sending_ip && `simulated sender ${test.sending_ip}`,
    envelope?.mail_from && `MAIL FROM ${envelope.mail_from}`,
  ].filter(Boolean);
  return (
    <>
      <When at={new Date(test.created_at)} />
      {['', test.region, ...as].join(' · ')}
    </>
  );
}

function Waiting({ children }: { children: ReactNode }) {
  return (
    <div className={reportClasses.checking} role="status">
      <Loader size="sm" aria-label="In progress" />
      <span>{children}</span>
    </div>
  );
}

function Body({ test, part }: { test: SpamTest; part: Part }) {
  const { analysis } = test;
  if (part === 'receivers')
    return receiversOf(test).length ? (
      <ReceiversPart test={test} />
    ) : isUnderWay(test) ? (
      <Waiting>The message is on its way to the receivers.</Waiting>
    ) : (
      <Notice title="No receiver got the message" />
    );
  if (!analysis)
    return isUnderWay(test) ? (
      <Waiting>Filter and authentication results appear when every receiver has an outcome.</Waiting>
    ) : (
      <Notice title="No analysis">{test.failure_reason}</Notice>
    );
  if (part === 'filters') return <FiltersPart testId={test.id} analysis={analysis} />;
  return part === 'authentication' ? <AuthenticationPart analysis={analysis} /> : <ChecklistPart analysis={analysis} />;
}

/** One spam test, live while it runs. */
export function SpamTestPage() {
  const { spamTestId } = useParams({ from: '/shell/spam/$spamTestId' });
  const query = useQuery(spamTestQuery(spamTestId));
  if (query.data) return <Loaded test={query.data} />;
  if (statusOf(query.error) === 404)
    return (
      <Notice
        isPage
        title="Spam test not found"
        action={<Button renderRoot={(props) => <Link to="/spam" {...props} />}>All spam tests</Button>}
      >
        The test was deleted, its retention period ended, or it belongs to another account.
      </Notice>
    );
  if (query.error) return <NotLoaded error={query.error} retry={() => void query.refetch()} />;
  return <Skeleton height={220} />;
}

function Loaded({ test }: { test: SpamTest }) {
  const { part = 'receivers' } = useSearch({ from: '/shell/spam/$spamTestId' });
  const { canWrite } = useRole();
  const askDelete = useDelete(test);
  return (
    <>
      <PageHead title={test.name} tabTitle={`${test.name} · Spam test`} lead={<Lead test={test} />}>
        {canWrite && <RenameButton id={test.id} noun="test" name={test.name} shownBy={['spam-test', 'spam-tests']} />}
        {canWrite && (
          <Button variant="default" size="xs" leftSection={<TrashIcon />} onClick={askDelete}>
            Delete
          </Button>
        )}
      </PageHead>
      {test.status === 'failed' && (
        <Alert color="red" mb="lg" title="The test failed">
          {test.failure_reason ?? 'The test could not be completed.'}
        </Alert>
      )}
      {test.analysis?.sender.kind === 'stand-in' && (
        <p className={reportClasses.sectionNote} style={{ margin: '-14px 0 18px' }}>
          {test.analysis.sender.note}
        </p>
      )}
      <Verdict test={test} />
      <Parts test={test} />
      <div className={reportClasses.body}>
        <Body test={test} part={part} />
      </div>
    </>
  );
}
