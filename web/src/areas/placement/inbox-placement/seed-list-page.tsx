import { Alert, Button, CopyButton, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { api, sentenceOf, statusOf } from '../../../ground/api.ts';
import { CheckIcon, CopyIcon, PlusIcon, ReloadIcon, SlidersIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { seedListQuery, type SeedList } from '../../../shared/mail/mail-api.ts';
import { NotLoaded } from '../../../shared/report/check-gate.tsx';
import reportClasses from '../../../shared/report/report.module.css';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { CopyField } from '../../../ground/shell/copy-field.tsx';
import { Facts } from '../../../ground/shell/facts.tsx';
import { laterPart } from '../../../ground/shell/later-part.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { When } from '../../../ground/shell/when.tsx';
import { count } from '../../../ground/words.ts';
import classes from './placement.module.css';
import { seedsOf } from './seed-lists-page.tsx';
import { TrendOfList } from './trend.tsx';

const ListDialog = laterPart(async () => (await import('./list-dialog.tsx')).ListDialog);

function useRegenerate(list: SeedList) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      api.call('PUT /v4/inbox/seedlists/{address}', {
        path: { address: list.target_email },
        query: {},
        body: { regen: true },
      }),
    onSuccess: async () => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['seed-list'] }),
        queries.invalidateQueries({ queryKey: ['seed-lists'] }),
      ]);
      tell({ message: 'The seed list has new addresses.' });
    },
    onError: (error) => tell({ color: 'red', title: 'The addresses were not regenerated', message: sentenceOf(error) }),
  });
}

function useDeleteList(list: SeedList): () => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    try {
      await api.call('DELETE /v4/inbox/seedlists/{address}', { path: { address: list.target_email } });
      await queries.invalidateQueries({ queryKey: ['seed-lists'] });
      await navigate({ to: '/placement/lists' });
    } catch (error) {
      tell({ color: 'red', title: 'The seed list was not deleted', message: sentenceOf(error) });
    }
  };
  return () =>
    ask({
      title: 'Delete this seed list?',
      text: `“${list.name}”: its addresses stop receiving mail. The results of its tests are kept.`,
      confirm: 'Delete',
      onConfirm: () => void remove(),
    });
}

function Addresses({ list }: { list: SeedList }) {
  const seeds = seedsOf(list);
  const text = list.mailing_list.split(',').join('\n');
  return (
    <section aria-labelledby="addresses">
      <h2 id="addresses" className={reportClasses.sectionTitle}>
        Addresses<span className={reportClasses.sectionNote}>{count(seeds.length, 'seed')}</span>
        <CopyButton value={text} timeout={2000}>
          {({ copied, copy }) => (
            <Button
              size="compact-xs"
              variant="default"
              ff="var(--font-sans)"
              leftSection={copied ? <CheckIcon /> : <CopyIcon />}
              onClick={copy}
            >
              {copied ? 'Copied' : 'Copy all'}
            </Button>
          )}
        </CopyButton>
      </h2>
      <pre className={classes.addresses} tabIndex={0} aria-label="Seed addresses">
        {seeds.join('\n')}
      </pre>
    </section>
  );
}

function Loaded({ list }: { list: SeedList }) {
  const { canWrite } = useRole();
  const [isOpen, dialog] = useDisclosure();
  const regenerate = useRegenerate(list);
  const askDelete = useDeleteList(list);
  const facts: [string, ReactNode][] = [
    ['Providers', list.provider_filter?.length ? list.provider_filter.join(', ') : 'all'],
    ['Created', <When key="made" at={new Date(list.created_at)} />],
    ...(list.regen_at.startsWith('0001')
      ? []
      : [['Regenerated', <When key="anew" at={new Date(list.regen_at)} />] as [string, ReactNode]]),
    ...(list.last_result_at.startsWith('0001')
      ? []
      : [['Latest test', <When key="latest" at={new Date(list.last_result_at)} />] as [string, ReactNode]]),
  ];
  return (
    <>
      <PageHead
        title={list.name || list.target_email}
        tabTitle={`${list.name || list.target_email} · Seed list`}
        lead="The addresses stay the same from test to test, so that you can compare results."
      >
        {canWrite && (
          <>
            <Button
              size="xs"
              leftSection={<PlusIcon />}
              renderRoot={(props) => <Link to="/placement/new" search={{ list: list.target_email }} {...props} />}
            >
              Test this list
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<ReloadIcon />}
              loading={regenerate.isPending}
              onClick={() =>
                ask({
                  title: 'Regenerate the addresses?',
                  text: 'New tests use new addresses. Existing results are kept.',
                  confirm: 'Regenerate addresses',
                  onConfirm: () => regenerate.mutate(),
                })
              }
            >
              Regenerate
            </Button>
            <Button size="xs" variant="default" leftSection={<SlidersIcon />} onClick={dialog.open}>
              Edit
            </Button>
            <Button size="xs" variant="default" leftSection={<TrashIcon />} onClick={askDelete}>
              Delete
            </Button>
          </>
        )}
      </PageHead>
      {list.regen_needed && (
        <Alert mb="lg" title="The providers have changed">
          Providers were added or removed after this list was created. Regenerate the list to include them.
        </Alert>
      )}
      <TrendOfList list={list.target_email} />
      <div className={classes.listColumns}>
        <Addresses list={list} />
        <section aria-labelledby="own">
          <h2 id="own" className={reportClasses.sectionTitle}>
            Send from your own platform
          </h2>
          <CopyField
            label="Address of the list"
            value={list.target_email}
            description={
              'Send a message to all addresses of the list, including this one. ' +
              'Galley turns what arrives into a result.'
            }
          />
          <div style={{ marginTop: 18 }}>
            <Facts facts={facts} />
          </div>
        </section>
      </div>
      {list.results.length === 0 && <p className="dim">No test has used this list yet.</p>}
      <Suspense>{isOpen && <ListDialog list={list} onClose={dialog.close} onSaved={dialog.close} />}</Suspense>
    </>
  );
}

/** One seed list: its addresses, and how its tests went. */
export function SeedListPage() {
  const { address } = useParams({ from: '/shell/placement/lists/$address' });
  const query = useQuery(seedListQuery(address));
  if (query.data) return <Loaded list={query.data} />;
  if (statusOf(query.error) === 404)
    return (
      <Notice
        isPage
        title="Seed list not found"
        action={<Button renderRoot={(props) => <Link to="/placement/lists" {...props} />}>All seed lists</Button>}
      >
        The list was deleted or belongs to another account.
      </Notice>
    );
  if (query.error) return <NotLoaded error={query.error} retry={() => void query.refetch()} />;
  return <Skeleton height={240} />;
}
