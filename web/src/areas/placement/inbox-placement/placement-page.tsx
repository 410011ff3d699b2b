import { ActionIcon, Alert, Button, Skeleton, Tooltip } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { api, sentenceOf } from '../../../ground/api.ts';
import { PlusIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { ListBar, RowCheck } from '../../../ground/lists/list-bar.tsx';
import { SavedViews } from '../../../ground/lists/saved-views.tsx';
import { useRows, type Rows } from '../../../ground/lists/use-rows.ts';
import { totalsInWords } from '../../../shared/mail/interval-line.tsx';
import { isUnderWay, PER_PAGE, placementResultsQuery, type PlacementResult } from '../../../shared/mail/mail-api.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { countsOfStats, PlacementBar } from '../../../shared/mail/outcome.tsx';
import { Paging } from '../../../shared/mail/paging.tsx';
import { RealMailboxes } from '../../../shared/mail/real-mailboxes.tsx';
import { TestState } from '../../../shared/mail/test-state.tsx';
import reportClasses from '../../../shared/report/report.module.css';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { When } from '../../../ground/shell/when.tsx';
import { nameBySubject } from '../../../ground/words.ts';
import { PlacementTabs } from './placement-tabs.tsx';

type Listed = Omit<PlacementResult, 'comparison'>;

/** Asks, deletes, and says when that did not work. */
export function useDeleteResult(
  result: Pick<PlacementResult, 'result_id' | 'subject'>,
  onDeleted?: () => void,
): () => void {
  const queries = useQueryClient();
  const remove = async (): Promise<void> => {
    try {
      await api.call('DELETE /v4/inbox/results/{result}', { path: { result: result.result_id } });
      onDeleted?.();
    } catch (error) {
      tell({ color: 'red', title: 'The test was not deleted', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['placement-results'] });
  };
  return () =>
    ask({
      title: 'Delete this placement test?',
      text: `“${nameBySubject(result.subject)}”: its results and its share link are deleted. This cannot be undone.`,
      confirm: 'Delete',
      onConfirm: () => void remove(),
    });
}

const deletion = {
  one: 'placement test',
  many: 'placement tests',
  remove: (id: string) => api.call('DELETE /v4/inbox/results/{result}', { path: { result: id } }),
  queryKey: ['placement-results'],
};

function Row({ result, rows }: { result: Listed; rows: Rows<Listed> }) {
  const { result_id: id } = result;
  const totals = result.delivery_totals;
  const shown = totals.real.total > 0 ? totals.real : totals.simulated;
  return (
    <li className={mailClasses.row} data-row={id} data-chosen={rows.chosen.has(id) || undefined}>
      <RowCheck rows={rows} id={id} name={nameBySubject(result.subject)} />
      <Link to="/placement/$resultId" params={{ resultId: result.result_id }} className={mailClasses.open}>
        <span>
          <span className={mailClasses.subject}>{nameBySubject(result.subject)}</span>
          <span className={mailClasses.facts}>
            <When at={new Date(result.created_at)} />
            <span>{result.sender}</span>
            <span>{result.seedlist_name}</span>
            {isUnderWay(result) && <TestState status={result.status} />}
          </span>
        </span>
        {shown.total > 0 && (
          <span className={mailClasses.share}>
            <PlacementBar
              isSmall
              counts={countsOfStats(shown)}
              label={shown === totals.real ? 'Placement in real mailboxes' : 'Placement at simulated receivers'}
            />
            <span>{totalsInWords(totals)}</span>
          </span>
        )}
      </Link>
      {rows.canChoose && (
        <Tooltip label="Delete">
          <ActionIcon
            className={mailClasses.delete}
            aria-label={`Delete ${nameBySubject(result.subject)}`}
            onClick={() => rows.remove([id])}
          >
            <TrashIcon />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  );
}

/** Earlier placement tests, newest first. */
export function PlacementPage() {
  const search = useSearch({ from: '/shell/placement' });
  const navigate = useNavigate();
  const { canWrite } = useRole();
  const results = useQuery(placementResultsQuery(search));
  const items = results.data?.items ?? [];
  const rows = useRows({ items, idOf: ({ result_id: id }) => id, deletion: canWrite ? deletion : undefined });
  const isFiltered = Boolean(search.list || search.page);
  return (
    <>
      <PageHead
        title="Inbox placement"
        lead={
          'Where each provider puts your message: measured in real mailboxes with a margin of error, or decided ' +
          'by the rules of simulated receivers.'
        }
      />
      <PlacementTabs />
      <div className={reportClasses.body}>
        <SavedViews list="placement-tests" to="/placement" search={search} />
        {results.error && (
          <Alert color="red" title="The tests could not be loaded">
            {sentenceOf(results.error)}
          </Alert>
        )}
        {results.isPending && <Skeleton height={90} />}
        {results.data &&
          items.length === 0 &&
          (isFiltered ? (
            <Notice
              title="No tests match"
              action={
                <Button variant="default" renderRoot={(props) => <Link to="/placement" search={{}} {...props} />}>
                  All tests
                </Button>
              }
            />
          ) : (
            <>
              <Notice
                title="Does it reach the inbox?"
                action={
                  canWrite && (
                    <Button leftSection={<PlusIcon />} renderRoot={(props) => <Link to="/placement/new" {...props} />}>
                      New placement test
                    </Button>
                  )
                }
              >
                Galley sends a message from your domain to a list of seed addresses and shows, for each provider, how
                many seeds found it in the inbox, in a tab, in spam or not at all. Galley’s own receivers are simulated:
                they find faults in the message and do not predict where a provider puts it.
              </Notice>
              <RealMailboxes hasLink />
            </>
          ))}
        {items.length > 0 && (
          <>
            <ListBar rows={rows} one="placement test" total={results.data?.total} />
            <ul ref={rows.list} className={mailClasses.rows} aria-label="Placement tests">
              {rows.shown.map((result) => (
                <Row key={result.result_id} result={result} rows={rows} />
              ))}
            </ul>
          </>
        )}
        {results.data && (
          <Paging
            page={search.page ?? 1}
            hasNext={items.length === PER_PAGE}
            onPage={(page) => void navigate({ to: '/placement', search: { ...search, page } })}
          />
        )}
      </div>
    </>
  );
}
