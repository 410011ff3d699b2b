import { ActionIcon, Alert, Button, SegmentedControl, TextInput, Tooltip } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useMemo, useState } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { ReloadIcon, SearchIcon, TableIcon } from '../../../ground/brand/icons.tsx';
import { useProof } from '../../../shared/proof/proof.ts';
import { CheckGate, Checking, NotLoaded } from '../../../shared/report/check-gate.tsx';
import { linkTestQuery, type LinkResult } from '../../../shared/report/report-api.ts';
import reportClasses from '../../../shared/report/report.module.css';
import { Split, useChoice } from '../../../shared/report/split.tsx';
import { ShowMore, useGrowing } from '../../../shared/report/growing.tsx';
import { tell } from '../../../ground/shell/ask.ts';
import { laterPart } from '../../../ground/shell/later-part.tsx';
import { Notice } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { count } from '../../../ground/words.ts';
import { linkFacts, type LinkFacts, type Verdict } from './link-facts.ts';
import { LinkRow } from './link-row.tsx';
import classes from './links-page.module.css';

const SheetComparisonDialog = laterPart(async () => (await import('./sheet-comparison.tsx')).SheetComparisonDialog);

const FILTERS: { value: Verdict; label: string }[] = [
  { value: 'broken', label: 'Broken' },
  { value: 'warning', label: 'Warnings' },
  { value: 'redirect', label: 'Redirects' },
  { value: 'ok', label: 'Works' },
];

function useRecheck(testId: string, id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.call('POST /v1/inspect/links/{id}', { path: { id } }),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['link-test', id] }),
        queries.invalidateQueries({ queryKey: ['inspection', id] }),
        queries.invalidateQueries({ queryKey: ['test', testId] }),
      ]),
    onError: (error) => tell({ color: 'red', title: 'The links were not checked again', message: sentenceOf(error) }),
  });
}

interface ToolsProps {
  testId: string;
  id: string;
}

function Tools({ testId, id }: ToolsProps) {
  const [isOpen, setOpen] = useState(false);
  const recheck = useRecheck(testId, id);
  const { canWrite } = useRole();
  return (
    <>
      <Button variant="default" size="xs" h={34} leftSection={<TableIcon />} onClick={() => setOpen(true)}>
        Compare with a spreadsheet
      </Button>
      <Tooltip label="Check again">
        <ActionIcon
          variant="default"
          aria-label="Check again"
          loading={recheck.isPending}
          disabled={!canWrite}
          onClick={() => recheck.mutate()}
        >
          <ReloadIcon />
        </ActionIcon>
      </Tooltip>
      <Suspense>{isOpen && <SheetComparisonDialog id={id} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

interface TableProps {
  shown: LinkFacts[];
  selected: number | undefined;
  onChoose: (number: number) => void;
}

function LinkTable({ shown, selected, onChoose }: TableProps) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (number: number): void =>
    setOpen((before) =>
      before.has(number) ? new Set([...before].filter((one) => one !== number)) : new Set([...before, number]),
    );
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <td className={classes.mark} />
          <th scope="col">Link</th>
          <th scope="col">Status</th>
          <th scope="col" className={classes.wide}>
            Redirects
          </th>
          <th scope="col" className={classes.wide}>
            Content type
          </th>
          <th scope="col" className={classes.wide}>
            TLS certificate
          </th>
          <td className={classes.open} />
        </tr>
      </thead>
      <tbody>
        {shown.map((facts) => (
          <LinkRow
            key={facts.number}
            facts={facts}
            isOpen={open.has(facts.number)}
            isShown={selected === facts.number}
            onToggle={() => toggle(facts.number)}
            onShow={() => onChoose(facts.number)}
          />
        ))}
      </tbody>
    </table>
  );
}

function Links({ testId, id, results, notice }: ToolsProps & { results: LinkResult[]; notice: string | undefined }) {
  const [filter, setFilter] = useState('');
  const [words, setWords] = useState('');
  const all = useMemo(() => results.map(linkFacts), [results]);
  const placed = useMemo(() => all.map(({ severity, place }) => ({ severity, where: place })), [all]);
  const chooser = useChoice();
  const shown = all.filter(
    ({ verdict, link }) =>
      (filter === '' || verdict === filter) &&
      `${link.text ?? ''} ${link.url}`.toLowerCase().includes(words.toLowerCase()),
  );
  const page = useGrowing(shown, {
    wanted:
      chooser.choice.selected === undefined
        ? undefined
        : shown.findIndex(({ number: one }) => one === chooser.choice.selected),
  });
  const number = (verdict: Verdict): number => all.filter((one) => one.verdict === verdict).length;
  const pick = (numbers: number[]): void => {
    const next = numbers.find((one) => one !== chooser.choice.selected) ?? numbers[0];
    if (next === undefined) return;
    chooser.choose(next);
    requestAnimationFrame(() => document.getElementById(`finding-${next}`)?.scrollIntoView({ block: 'center' }));
  };
  if (all.length === 0) return <Notice title="No links">The message contains no links.</Notice>;
  return (
    <Split testId={testId} placed={placed} chooser={chooser} onPick={pick}>
      <h2 className="visually-hidden">Links</h2>
      <div className={reportClasses.filters} role="search" aria-label="Filters">
        <SegmentedControl
          aria-label="Show"
          value={filter}
          onChange={setFilter}
          data={[
            { value: '', label: `All ${all.length}` },
            ...FILTERS.map(({ value, label }) => ({ value, label: `${label} ${number(value)}` })),
          ]}
        />
        <TextInput
          type="search"
          aria-label="Search links"
          placeholder="Search links"
          leftSection={<SearchIcon />}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          className={classes.search}
        />
        <Tools testId={testId} id={id} />
      </div>
      {notice && (
        <Alert color="yellow" mb="md" title="Not every link was checked">
          {notice}
        </Alert>
      )}
      {shown.length > 0 ? (
        <LinkTable
          shown={page.shown}
          selected={chooser.choice.selected}
          onChoose={(one) => chooser.choose(chooser.choice.selected === one ? undefined : one)}
        />
      ) : (
        <Notice
          title="No links match"
          action={
            <Button
              variant="default"
              onClick={() => {
                setFilter('');
                setWords('');
              }}
            >
              Show all {count(all.length, 'link')}
            </Button>
          }
        />
      )}
      <ShowMore page={page} noun="link" />
    </Split>
  );
}

function LinkTest({ testId, id }: ToolsProps) {
  const test = useQuery(linkTestQuery(id));
  if (test.error && !test.data) return <NotLoaded error={test.error} retry={() => void test.refetch()} />;
  if (!test.data || test.data.meta.status === 'Processing') return <Checking name="link_validation" />;
  return <Links testId={testId} id={id} results={test.data.items.results} notice={test.data.meta.notice} />;
}

/** Every link of a message, where it leads, and how. */
export function LinksPage() {
  const { testId = '' } = useProof();
  return (
    <div className={reportClasses.body}>
      <CheckGate testId={testId} name="link_validation">
        {(id) => <LinkTest testId={testId} id={id} />}
      </CheckGate>
    </div>
  );
}
