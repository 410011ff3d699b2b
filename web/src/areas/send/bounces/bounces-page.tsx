import { Alert, Button, Select, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { sentenceOf } from '../../../ground/api.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { count, figure, percent } from '../../../ground/words.ts';
import { domainsQuery } from '../../../shared/mail/mail-api.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import { ModeNote } from '../../../shared/send/mode-note.tsx';
import sendClasses from '../../../shared/send/send.module.css';
import { bouncesQuery, classesOf, type BounceClass } from './bounces-api.ts';
import { bouncesExport } from './bounces-csv.ts';
import classes from './bounces.module.css';
import type { BouncesSearch } from './bounces-search.ts';

const PERIODS = [
  { value: '1', label: 'Since yesterday' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
];

/** `12 bounces, 3 delays`; what there is none of is left out. */
function countWords({ bounces, delays }: { bounces: number; delays: number }): string {
  const parts = [bounces > 0 && count(bounces, 'bounce'), delays > 0 && count(delays, 'delay')];
  return parts.filter(Boolean).join(', ');
}

function SaidTable({ name, said }: Pick<BounceClass, 'name' | 'said'>) {
  return (
    <Sideways label={`${name}: who said so`} minWidth={560}>
      <table className={sendClasses.table}>
        <thead>
          <tr>
            <th scope="col">Who</th>
            <th scope="col">Bounces</th>
            <th scope="col">Delays</th>
            <th scope="col">Sample replies</th>
          </tr>
        </thead>
        <tbody>
          {said.map(({ entity, bounces, delays, samples }) => (
            <tr key={entity}>
              <td className={classes.who}>{entity}</td>
              <td className={sendClasses.number}>{figure(bounces)}</td>
              <td className={sendClasses.number}>{figure(delays)}</td>
              <td>
                {samples.length === 0 && <span className={classes.none}>No reply: nobody answered.</span>}
                {samples.map((sample) => (
                  <bdi key={sample} className={sendClasses.reply}>
                    {sample}
                  </bdi>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}

function ClassPart({ found, total }: { found: BounceClass; total: number }) {
  const { id, name, isCritical, explanation, advice, said } = found;
  const failures = found.bounces + found.delays;
  return (
    <section aria-labelledby={`class-${id}`} className={classes.class}>
      <div className={classes.head}>
        <h2 id={`class-${id}`} className={classes.name}>
          {name}
        </h2>
        {isCritical && <Chip tone="doubt">needs attention</Chip>}
        <span className={classes.count}>
          {countWords(found)} · {percent(failures / total)}
        </span>
      </div>
      <div className={classes.bar} aria-hidden="true">
        <span style={{ width: `${(100 * failures) / total}%` }} data-critical={isCritical} />
      </div>
      <p className={classes.about}>{explanation}</p>
      <p className={classes.about}>
        <strong>What to do:</strong> {advice}
      </p>
      <details className={classes.said} open={isCritical}>
        <summary>Who said so, and sample replies</summary>
        <SaidTable name={name} said={said} />
      </details>
    </section>
  );
}

interface FiltersProps {
  search: BouncesSearch;
  change: (changes: { [Name in keyof BouncesSearch]: BouncesSearch[Name] | undefined }) => void;
}

function Filters({ search, change }: FiltersProps) {
  const { data: domains = [] } = useQuery(domainsQuery);
  return (
    <form
      className={sendClasses.search}
      role="search"
      aria-label="Bounces"
      onSubmit={(event) => event.preventDefault()}
    >
      <Select
        aria-label="Time"
        w={160}
        allowDeselect={false}
        value={String(search.days ?? 7)}
        data={PERIODS}
        onChange={(days) => change({ days: days === '7' ? undefined : (Number(days) as 1 | 30 | 90) })}
      />
      <Select
        aria-label="Sending domain"
        placeholder="Any domain"
        clearable
        searchable
        w={220}
        value={search.domain ?? null}
        data={domains.map(({ name }) => name)}
        onChange={(domain) => change({ domain: domain ?? undefined })}
      />
    </form>
  );
}

function Classes({ found }: { found: readonly BounceClass[] }) {
  const bounces = found.reduce((sum, one) => sum + one.bounces, 0);
  const delays = found.reduce((sum, one) => sum + one.delays, 0);
  return (
    <>
      <p className={sendClasses.counted} role="status">
        {countWords({ bounces, delays })} in {count(found.length, 'class', 'classes')}
      </p>
      {found.map((one) => (
        <ClassPart key={one.id} found={one} total={bounces + delays} />
      ))}
    </>
  );
}

/** Why receivers refused or delayed mail, and what to do. */
export function BouncesPage() {
  const search = useSearch({ from: '/shell/bounces' });
  const navigate = useNavigate();
  const { data, error, isPending } = useQuery(bouncesQuery(search));
  const found = data && classesOf(data.items);
  const change: FiltersProps['change'] = (changes) => {
    const next = Object.fromEntries(Object.entries({ ...search, ...changes }).filter(([, value]) => value));
    void navigate({ to: '/bounces', search: next, replace: true });
  };
  return (
    <>
      <PageHead
        title="Bounces"
        lead={
          <>
            Why receivers refused (bounces) or put off (delays) your messages, and what to do. <ModeNote />
          </>
        }
      >
        {found && found.length > 0 && <CsvButtons of="bounce classes" name="bounces" {...bouncesExport(found)} />}
      </PageHead>
      <Filters search={search} change={change} />
      {error && (
        <Alert color="red" mb="md" title="The bounces could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={120} />}
      {found && found.length > 0 && <Classes found={found} />}
      {found && found.length === 0 && (
        <Notice
          title="No bounces in this time"
          action={
            <Button variant="default" renderRoot={(props) => <Link to="/messages" {...props} />}>
              Messages
            </Button>
          }
        >
          When a receiver refuses or delays a message, its reply is classified and shown here.
        </Notice>
      )}
    </>
  );
}
