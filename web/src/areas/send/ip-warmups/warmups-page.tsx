import { Alert, Button, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { PlusIcon } from '../../../ground/brand/icons.tsx';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { When } from '../../../ground/shell/when.tsx';
import { count, figure } from '../../../ground/words.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import { Bars, PlanDialog } from './plan-dialog.tsx';
import {
  decisionsQuery,
  forecastWords,
  hourWords,
  warmupsKey,
  warmupsQuery,
  type Decision,
  type Warmup,
} from './warmups-api.ts';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import { decisionsExport, warmupsExport } from './warmups-csv.ts';
import classes from './warmups.module.css';

const VERDICTS = {
  advance: { tone: 'good', words: 'went on' },
  hold: { tone: 'doubt', words: 'repeated' },
  'step back': { tone: 'bad', words: 'stepped back' },
} as const;

function DecisionRow({ decision }: { decision: Decision }) {
  const { tone, words } = VERDICTS[decision.verdict];
  return (
    <li>
      <div className={classes.decisionHead}>
        <strong>Stage {decision.stage}</strong>
        <Chip tone={tone}>{words}</Chip>
        <span className={classes.dim}>
          <When at={new Date(decision.ended_at)} />
        </span>
      </div>
      <p className={classes.why}>
        {decision.why}
        {decision.is_bound && ' More happened than could be counted; these shares are of what was.'}
      </p>
    </li>
  );
}

function Decisions({ ip }: { ip: string }) {
  const { data, error } = useQuery(decisionsQuery(ip));
  if (error) return <Alert color="red">{sentenceOf(error)}</Alert>;
  if (!data) return <Skeleton height={40} />;
  if (data.items.length === 0) return <p className={classes.dim}>No stage has ended yet.</p>;
  return (
    <>
      <ol className={classes.decisions}>
        {data.items.map((decision) => (
          <DecisionRow key={decision.ended_at} decision={decision} />
        ))}
      </ol>
      <p className={classes.file}>
        <CsvButtons
          of={`stages of ${ip}`}
          size="compact-xs"
          name={`ip-warmup-${ip}`}
          {...decisionsExport(data.items)}
        />
      </p>
    </>
  );
}

/** Asks, then stops a warm-up. */
function useStop(): (ip: string) => void {
  const queries = useQueryClient();
  const stop = async (addr: string): Promise<void> => {
    try {
      await api.call('DELETE /v3/ip_warmups/{addr}', { path: { addr } });
    } catch (error) {
      tell({ color: 'red', title: 'The warm-up was not stopped', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: warmupsKey });
  };
  return (ip) =>
    ask({
      title: `Stop the warm-up of ${ip}?`,
      text: 'Nothing holds back what leaves from the address any more. Its stages and decisions are deleted.',
      confirm: 'Stop',
      onConfirm: () => void stop(ip),
    });
}

function Card({ warmup, onEdit }: { warmup: Warmup; onEdit: (() => void) | undefined }) {
  const askStop = useStop();
  const { ip, stage, stages, sent, state } = warmup;
  const volume = stages[stage - 1] ?? 1;
  return (
    <section className={classes.card} aria-label={ip}>
      <div className={classes.cardHead}>
        <h2 className={classes.ip}>
          <bdi>{ip}</bdi> {state === 'warm' ? <Chip tone="good">warm</Chip> : <Chip>warming up</Chip>}
        </h2>
        {onEdit && (
          <div className={classes.actions}>
            {state === 'warming' && (
              <Button size="compact-sm" variant="default" onClick={onEdit}>
                Change stages
              </Button>
            )}
            <Button size="compact-sm" variant="default" onClick={() => askStop(ip)}>
              {state === 'warming' ? 'Stop' : 'Remove'}
            </Button>
          </div>
        )}
      </div>
      <p className={classes.forecast}>{forecastWords(warmup)}</p>
      <Bars volumes={stages} stage={state === 'warm' ? stages.length + 1 : stage} />
      {state === 'warming' && (
        <p className={classes.dim}>
          Stage {stage} of {stages.length}: {figure(sent)} of {count(volume, 'message')} sent. {hourWords(warmup)} The
          stage ends <When at={new Date(warmup.stage_ends_at)} />.
        </p>
      )}
      <h3 className={classes.part}>Stages that ended</h3>
      <Decisions ip={ip} />
    </section>
  );
}

/** Addresses that are new to receivers: how much leaves from them, why, and when they are warm. */
export function WarmupsPage() {
  const { canWrite } = useRole('ips');
  const { data, error, isPending } = useQuery(warmupsQuery);
  const [edited, setEdited] = useState<{ warmup: Warmup | undefined }>();
  return (
    <>
      <PageHead
        title="IP warm-up"
        lead="Receivers distrust a new IP address. Its volume grows stage by stage; bounces, complaints and replies about its reputation decide whether the next stage begins."
      >
        {data && data.items.length > 0 && <CsvButtons of="warm-ups" name="ip-warmups" {...warmupsExport} />}
        {canWrite && (
          <Button leftSection={<PlusIcon />} onClick={() => setEdited({ warmup: undefined })}>
            Start a warm-up
          </Button>
        )}
      </PageHead>
      {error && (
        <Alert color="red" title="Warm-ups could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={220} />}
      {data?.items.length === 0 && (
        <Notice title="No address is warming up">
          Addresses are added with GALLEY_SENDING_IPS. Start a warm-up before the first message leaves from a new one.
        </Notice>
      )}
      {data?.items.map((warmup) => (
        <Card key={warmup.ip} warmup={warmup} onEdit={canWrite ? () => setEdited({ warmup }) : undefined} />
      ))}
      {data && data.meta.count > data.items.length && (
        <p className={classes.dim}>
          {data.items.length} of {figure(data.meta.count)} are shown.
        </p>
      )}
      {edited && <PlanDialog warmup={edited.warmup} onClose={() => setEdited(undefined)} />}
    </>
  );
}
