import { Button, Select, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { api, sentenceOf } from '../../../ground/api.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { Ago } from '../../../ground/shell/when.tsx';
import reportClasses from '../../../shared/report/report.module.css';
import { TabNav } from '../../../shared/report/tab-nav.tsx';
import { ComparePanel } from './compare-panel.tsx';
import {
  emailQuery,
  testsQuery,
  versionsQuery,
  type Email,
  type OfVersion,
  type Test,
  type Version,
} from './emails-api.ts';
import { TABS, type Tab } from './emails-search.ts';
import classes from './emails.module.css';
import { FileDialog } from './file-dialog.tsx';
import { FindingsPanel } from './findings-panel.tsx';
import { OverviewPanel } from './overview-panel.tsx';
import { PreviewsPanel } from './previews-panel.tsx';
import { ReviewPanel } from './review-panel.tsx';
import { TestsPanel } from './tests-panel.tsx';

const NAMES: Readonly<Record<Tab, string>> = {
  overview: 'Overview',
  previews: 'Previews',
  findings: 'Findings',
  code: 'Code',
  links: 'Links',
  images: 'Images',
  accessibility: 'Accessibility',
  spam: 'Spam',
  placement: 'Placement',
  gate: 'Gate',
  review: 'Review',
  compare: 'Versions',
};

function useDelete(): (email: Pick<Email, 'id' | 'name'>) => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = async (id: string): Promise<void> => {
    try {
      await api.call('DELETE /v1/emails/{email_id}', { path: { email_id: id } });
      await queries.invalidateQueries({ queryKey: ['emails'] });
      await navigate({ to: '/emails' });
    } catch (error) {
      tell({ color: 'red', title: 'The email was not deleted', message: sentenceOf(error) });
    }
  };
  return ({ id, name }) =>
    ask({
      title: 'Delete this email?',
      text: `${name} is deleted with all its versions. Its tests stay in their own lists.`,
      confirm: 'Delete',
      onConfirm: () => void remove(id),
    });
}

/** How many errors a tab's own tests found, or warnings where there are none. */
function Tally({ tab, tests }: { tab: Tab; tests: readonly Test[] }) {
  const own = tests.find(({ kind }) => kind === tab);
  if (!own) return null;
  if (own.state === 'processing')
    return (
      <span className={reportClasses.tally} role="img" aria-label="in progress">
        …
      </span>
    );
  const [number, severity] = own.errors ? [own.errors, 'error'] : [own.warnings ?? 0, 'warning'];
  if (number === 0) return null;
  return (
    <span className={reportClasses.tally} data-severity={severity}>
      {number}
      <span className="visually-hidden"> {number === 1 ? severity : `${severity}s`}</span>
    </span>
  );
}

interface PanelProps {
  tab: Tab;
  of: OfVersion;
  tests: readonly Test[];
  version: Version | undefined;
  latest: number;
  from: number | undefined;
}

function Panel({ tab, of, tests, version, latest, from }: PanelProps) {
  switch (tab) {
    case 'overview':
      return <OverviewPanel of={of} tests={tests} />;
    case 'previews':
      return <PreviewsPanel of={of} tests={tests} />;
    case 'findings':
      return <FindingsPanel of={of} tests={tests} kind={undefined} />;
    case 'placement':
    case 'gate':
      return <TestsPanel key={tab} of={of} tests={tests} kind={tab} sender={version?.from ?? null} />;
    case 'review':
      return <ReviewPanel of={of} tests={tests} />;
    case 'compare':
      return latest > 1 ? (
        <ComparePanel of={of} from={from} latest={latest} />
      ) : (
        <Notice title="One version so far">Add another to see what it fixes, and what is new.</Notice>
      );
    default:
      return <FindingsPanel key={tab} of={of} tests={tests} kind={tab} />;
  }
}

function Tabs({
  emailId,
  version,
  tab,
  tests,
}: {
  emailId: string;
  version: number | undefined;
  tab: Tab;
  tests: readonly Test[];
}) {
  return (
    <TabNav label="Email">
      {TABS.map((one) => (
        <Link
          key={one}
          to="/emails/$emailId"
          params={{ emailId }}
          search={{ ...(one !== 'overview' && { tab: one }), ...(version !== undefined && { version }) }}
          className={reportClasses.tab}
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={one === tab ? 'page' : undefined}
          resetScroll={false}
        >
          {NAMES[one]} <Tally tab={one} tests={tests} />
        </Link>
      ))}
    </TabNav>
  );
}

/** One email: its versions, and what is known of each. */
export function EmailPage() {
  const { emailId } = useParams({ from: '/shell/emails/$emailId' });
  const { tab = 'overview', version, from } = useSearch({ from: '/shell/emails/$emailId' });
  const navigate = useNavigate();
  const { canWrite } = useRole();
  const [isOpen, dialog] = useDisclosure();
  const askDelete = useDelete();
  const { data: email, error } = useQuery(emailQuery(emailId));
  const { data: versions } = useQuery(versionsQuery(emailId));
  const of = { emailId, number: version ?? email?.version ?? 1 };
  const tests = useQuery({ ...testsQuery(of), enabled: email !== undefined });
  if (error)
    return (
      <Notice isPage title="This email could not be loaded" action={<Link to="/emails">All emails</Link>}>
        {sentenceOf(error)}
      </Notice>
    );
  if (!email) return <Skeleton height={240} />;
  const shown = versions?.items.find(({ number }) => number === of.number);
  const numbers = versions?.items.map(({ number }) => number) ?? [of.number];
  return (
    <>
      <PageHead
        title={email.name}
        lead={
          <>
            {shown?.subject && <bdi>{shown.subject}</bdi>}
            {shown && (
              <span className={classes.facts}>
                {' '}
                version {shown.number}, <Ago at={new Date(shown.created_at)} />
                {email.folder !== '' && `, in ${email.folder}`}
                {email.tags.length > 0 && `, ${email.tags.join(', ')}`}
              </span>
            )}
          </>
        }
      >
        <Select
          aria-label="Version"
          size="xs"
          w={130}
          allowDeselect={false}
          value={String(of.number)}
          data={(numbers.includes(of.number) ? numbers : [of.number, ...numbers]).map((number) => ({
            value: String(number),
            label: number === email.version ? `Version ${number} (latest)` : `Version ${number}`,
          }))}
          onChange={(next) =>
            void navigate({
              to: '/emails/$emailId',
              params: { emailId },
              search: {
                ...(tab !== 'overview' && { tab }),
                ...(next !== null && Number(next) !== email.version && { version: Number(next) }),
              },
            })
          }
        />
        {canWrite && (
          <>
            <Button size="xs" onClick={() => void navigate({ to: '/emails/new', search: { email: emailId } })}>
              New version
            </Button>
            <Button size="xs" variant="default" onClick={dialog.open}>
              Rename or file
            </Button>
            <Button size="xs" variant="default" onClick={() => askDelete(email)}>
              Delete
            </Button>
          </>
        )}
      </PageHead>
      <Tabs emailId={emailId} version={version} tab={tab} tests={tests.data ?? []} />
      <div className={classes.panel}>
        {tests.error ? (
          <Notice title="The tests of this version could not be loaded">{sentenceOf(tests.error)}</Notice>
        ) : tests.data ? (
          <Panel tab={tab} of={of} tests={tests.data} version={shown} latest={email.version} from={from} />
        ) : (
          <Skeleton height={240} />
        )}
      </div>
      {isOpen && <FileDialog email={email} onClose={dialog.close} />}
    </>
  );
}
