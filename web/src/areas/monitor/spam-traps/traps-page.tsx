import { ActionIcon, Alert, Button, Skeleton, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, sentenceOf } from '../../../ground/api.ts';
import { PlusIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { DownloadButton } from '../../../ground/shell/download-button.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { calendarDay, count, figure } from '../../../ground/words.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { DayChart, PartsLegend } from '../../../shared/monitor/day-chart.tsx';
import reportClasses from '../../../shared/report/report.module.css';
import classes from '../../../shared/send/send.module.css';
import { FeedDialog } from './feed-dialog.tsx';
import { Feeds } from './feeds.tsx';
import { Findings } from './findings.tsx';
import { ReportDialog } from './report-dialog.tsx';
import { TrapDialog } from './trap-dialog.tsx';
import {
  daysQuery,
  hitsQuery,
  trapsQuery,
  TYPES,
  type Hit,
  type Trap,
  type TrapDay,
  type TrapType,
} from './traps-api.ts';

const NAMES = Object.keys(TYPES) as TrapType[];

const titleOf = (type: string): string => type.charAt(0).toUpperCase() + type.slice(1);
const sumOf = (days: readonly TrapDay[], type: TrapType): number => days.reduce((sum, day) => sum + day[type], 0);

function Days({ days }: { days: readonly TrapDay[] }) {
  return (
    <section aria-labelledby="trap-days">
      <h2 id="trap-days" className={reportClasses.sectionTitle}>
        Hits by day<span className={reportClasses.sectionNote}>of your own traps and imported reports only</span>
      </h2>
      <PartsLegend parts={NAMES.map((name) => ({ name, value: sumOf(days, name) }))} />
      <DayChart
        points={days.map((day) => ({
          date: day.date,
          value: day.total,
          parts: NAMES.map((name) => ({ name, value: day[name] })),
        }))}
        label="Spam trap hits by day"
        kind="bars"
      >
        <Sideways label="Hits by day, table" minWidth={420}>
          <table className={classes.table}>
            <thead>
              <tr>
                {['Day', ...NAMES.map(titleOf), 'Total'].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.toReversed().map((day) => (
                <tr key={day.date}>
                  <td className={classes.number}>{calendarDay(day.date)}</td>
                  {NAMES.map((name) => (
                    <td key={name} className={classes.number}>
                      {figure(day[name])}
                    </td>
                  ))}
                  <td className={classes.number}>{figure(day.total)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Sideways>
      </DayChart>
    </section>
  );
}

function HitRow({ hit }: { hit: Hit }) {
  const { id, at, type, domain, subject, ip, from, hits, source_name: source, proof } = hit;
  return (
    <li className={mailClasses.row}>
      <div className={classes.entry}>
        <bdi className={classes.address}>{subject || domain || 'No subject is known'}</bdi>
        <span className={classes.facts}>
          <span>
            {type}
            {hits > 1 && `, ${count(hits, 'hit')}`}
          </span>
          <When at={new Date(at)} />
          {from && <bdi>{from}</bdi>}
          {ip && <bdi>{ip}</bdi>}
          <span>Source: {source}</span>
          <span>Known by: {proof}</span>
          {hit.has_message && (
            <DownloadButton size="compact-xs" name={`spam-trap-${id}.eml`} path={`/v1/spamtraps/hits/${id}/message`}>
              Message
            </DownloadButton>
          )}
        </span>
      </div>
    </li>
  );
}

function Hits() {
  const { data } = useQuery(hitsQuery);
  if (!data || data.items.length === 0) return null;
  const { meta, items } = data;
  return (
    <section aria-labelledby="trap-hits">
      <h2 id="trap-hits" className={reportClasses.sectionTitle}>
        Hits
        <span className={reportClasses.sectionNote}>
          {meta.count > items.length ? `the newest ${items.length} of ${figure(meta.count)}` : 'of the last 30 days'}
        </span>
      </h2>
      <ul className={mailClasses.rows}>
        {items.map((hit) => (
          <HitRow key={hit.id} hit={hit} />
        ))}
      </ul>
    </section>
  );
}

function useRemove(): (trap: Trap) => void {
  const queries = useQueryClient();
  const remove = async (trap: Trap): Promise<void> => {
    try {
      await api.call('DELETE /v1/spamtraps/traps/{trap_id}', { path: { trap_id: trap.id } });
    } catch (error) {
      tell({ color: 'red', title: 'The trap was not removed', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['traps'] });
  };
  return (trap) =>
    ask({
      title: 'Remove this trap?',
      text: `Mail for ${trap.value} is refused from now on. Its hits stay.`,
      confirm: 'Remove',
      onConfirm: () => void remove(trap),
    });
}

function Traps({ traps }: { traps: readonly Trap[] }) {
  const { canWrite } = useRole();
  const askRemove = useRemove();
  if (traps.length === 0) return null;
  return (
    <section aria-labelledby="own-traps">
      <h2 id="own-traps" className={reportClasses.sectionTitle}>
        Your traps
      </h2>
      <ul className={mailClasses.rows}>
        {traps.map((trap) => (
          <li key={trap.id} className={mailClasses.row}>
            <div className={classes.entry}>
              <bdi className={classes.address}>{trap.value}</bdi>
              <span className={classes.facts}>
                <span>{trap.type}</span>
                <span>{TYPES[trap.type]}</span>
                {trap.foreign_hits > 0 && <span>{count(trap.foreign_hits, 'message')} of strangers, not kept</span>}
              </span>
            </div>
            {canWrite && (
              <Tooltip label="Remove">
                <ActionIcon
                  className={mailClasses.delete}
                  aria-label={`Remove ${trap.value}`}
                  onClick={() => askRemove(trap)}
                >
                  <TrashIcon />
                </ActionIcon>
              </Tooltip>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Spam traps that were hit, and those that are set up. */
export function TrapsPage() {
  const { canWrite } = useRole();
  const days = useQuery(daysQuery);
  const traps = useQuery(trapsQuery);
  const [isAdding, adding] = useDisclosure();
  const [isImporting, importing] = useDisclosure();
  const [isFeeding, feeding] = useDisclosure();
  const isEmpty = days.data?.length === 0 && traps.data?.items.length === 0;
  return (
    <>
      <PageHead
        title="Traps"
        lead="Addresses that never asked for mail. Only what the named sources tell: no view of other networks."
      >
        {canWrite && (
          <>
            <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={adding.open}>
              New trap
            </Button>
            <Button size="xs" variant="default" onClick={importing.open}>
              Import
            </Button>
            <Button size="xs" variant="default" onClick={feeding.open}>
              Add a feed
            </Button>
          </>
        )}
      </PageHead>
      {days.error && (
        <Alert color="red" title="The hits could not be loaded">
          {sentenceOf(days.error)}
        </Alert>
      )}
      {(days.isPending || traps.isPending) && <Skeleton height={120} />}
      {isEmpty && (
        <Notice title="No hits, and no traps">
          Set up an address or a domain whose MX leads to this service, or import the report of a network of traps, or
          add its feed.
        </Notice>
      )}
      {days.data && days.data.length > 0 && <Days days={days.data} />}
      <Hits />
      <Findings />
      <Feeds />
      {traps.data && <Traps traps={traps.data.items} />}
      {isAdding && <TrapDialog onClose={adding.close} />}
      {isImporting && <ReportDialog onClose={importing.close} />}
      {isFeeding && <FeedDialog onClose={feeding.close} />}
    </>
  );
}
