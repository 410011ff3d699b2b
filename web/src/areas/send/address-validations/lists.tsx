import { Alert, Button, Progress, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, pathOf, sentenceOf } from '../../../ground/api.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { DownloadButton } from '../../../ground/shell/download-button.tsx';
import { Notice } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { When } from '../../../ground/shell/when.tsx';
import { count, figure, fromUnix } from '../../../ground/words.ts';
import { Paging } from '../../../shared/mail/paging.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import classes from '../../../shared/send/send.module.css';
import { RESULTS, RISKS } from './validation-words.ts';
import { JOBS_PER_PAGE, jobsQuery, type Job } from './validations-api.ts';
import { jobsExport } from './validations-csv.ts';
import own from './validations.module.css';

const STATES = {
  created: { label: 'waiting', tone: 'doubt' },
  processing: { label: 'in progress', tone: 'doubt' },
  uploaded: { label: 'done', tone: 'good' },
  failed: { label: 'failed', tone: 'bad' },
} as const;

function useDelete(): (job: Job) => void {
  const queries = useQueryClient();
  const remove = async (name: string): Promise<void> => {
    try {
      await api.call('DELETE /v4/address/validate/bulk/{list_id}', { path: { list_id: name } });
    } catch (error) {
      tell({ color: 'red', title: 'The list was not deleted', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['validation-jobs'] });
  };
  return ({ id, status }) =>
    ask({
      title: 'Delete this list?',
      text:
        `${id} goes with its results${status === 'uploaded' ? '' : ', and what is left is not validated'}. What was ` +
        'counted stays counted.',
      confirm: 'Delete',
      onConfirm: () => void remove(id),
    });
}

/** How many there are of each; what there is none of is left out. */
function Counts({ job: { id, summary, records_processed: done } }: { job: Job }) {
  if (done === 0) return null;
  const share = (number: number): string => `${((number / done) * 100).toFixed(number === done ? 0 : 1)} %`;
  const parts = [
    { label: 'By result', words: RESULTS, counts: summary.result as Record<string, number> },
    { label: 'By risk', words: RISKS, counts: summary.risk as Record<string, number> },
  ];
  return (
    <div className={own.counts}>
      {parts.map(({ label, words, counts }) => (
        <table key={label} className={own.countTable} aria-label={`${id}, ${label.toLowerCase()}`}>
          <caption>{label}</caption>
          <tbody>
            {words.map(({ value, label: name, tone }) => (
              <tr key={value}>
                <th scope="row">
                  <Chip tone={(counts[value] ?? 0) > 0 ? tone : undefined}>{name}</Chip>
                </th>
                <td>{figure(counts[value] ?? 0)}</td>
                <td className="dim">{share(counts[value] ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}

function Row({ job, onDelete }: { job: Job; onDelete: (() => void) | undefined }) {
  const { id, quantity, records_processed: done, status, created_at: created, reason, download_url: files } = job;
  const { label, tone } = STATES[status];
  const isOpen = status === 'created' || status === 'processing';
  return (
    <li className={classes.queued}>
      <div className={classes.what}>
        <bdi className={classes.subject}>{id}</bdi>
        <span className={classes.facts}>
          <Chip tone={tone}>{label}</Chip>
          <span>{count(quantity, 'address', 'addresses')}</span>
          <When at={fromUnix(created)} />
          {isOpen && <span>{figure(done)} validated</span>}
        </span>
        {isOpen && (
          <Progress
            mt={10}
            size="sm"
            value={quantity === 0 ? 0 : (done / quantity) * 100}
            aria-label={`${id}: ${figure(done)} of ${figure(quantity)} validated`}
          />
        )}
        {reason !== undefined && <p className={classes.stepAbout}>It failed: {reason}.</p>}
        <Counts job={job} />
      </div>
      <span className={classes.actions}>
        {files &&
          (['csv', 'json'] as const).map((form) => (
            <DownloadButton
              key={form}
              size="compact-xs"
              path={pathOf(files[form])}
              name={`${id}.${form}`}
              label={`Results as ${form.toUpperCase()} of ${id}`}
            >
              {form === 'csv' ? 'Results as CSV' : 'Results as JSON'}
            </DownloadButton>
          ))}
        {onDelete && (
          <Button size="compact-xs" variant="default" aria-label={`Delete ${id}`} onClick={onDelete}>
            Delete
          </Button>
        )}
      </span>
    </li>
  );
}

/** Lists that are validated in the background: how far they are, and what was found. */
export function Lists({ onUpload }: { onUpload: (() => void) | undefined }) {
  const { canWrite } = useRole('validations');
  /** The last names of the pages before this one. */
  const [before, setBefore] = useState<string[]>([]);
  const { data, error, isPending } = useQuery(jobsQuery(before.at(-1)));
  const askDelete = useDelete();
  const jobs = data?.jobs ?? [];
  const page = before.length + 1;
  const turn = (to: number): void =>
    setBefore(to > page ? [...before, jobs.at(-1)?.id ?? ''] : before.slice(0, Math.max(0, to - 1)));
  return (
    <section aria-labelledby="lists">
      <h2 id="lists" className={classes.part}>
        Lists
      </h2>
      {error && (
        <Alert color="red" mb="md" title="The lists could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={90} />}
      {data && jobs.length === 0 && (
        <Notice
          title={page > 1 ? 'No more lists' : 'No lists yet'}
          action={page === 1 && onUpload && <Button onClick={onUpload}>Validate a list</Button>}
        >
          Upload a spreadsheet of addresses. Each address counts as one email validation, and results are kept for 30
          days.
        </Notice>
      )}
      {jobs.length > 0 && (
        <>
          <ul className={classes.rows} aria-label="Lists, by name">
            {jobs.map((job) => (
              <Row key={job.id} job={job} onDelete={canWrite ? () => askDelete(job) : undefined} />
            ))}
          </ul>
          <p className={classes.listFile}>
            <CsvButtons of="lists" size="compact-xs" name="validated-lists" {...jobsExport} />
          </p>
        </>
      )}
      <Paging page={page} hasNext={jobs.length === JOBS_PER_PAGE} onPage={turn} />
    </section>
  );
}
