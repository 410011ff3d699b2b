import { Alert, Button, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { Facts } from '../../../ground/shell/facts.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { When } from '../../../ground/shell/when.tsx';
import { RunState } from './run-state.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';
import {
  runsQuery,
  RUNS_SHOWN,
  scheduleQuery,
  TASK_LABELS,
  timesWords,
  useScheduleActions,
  type Run,
  type Schedule,
} from './schedules-api.ts';
import classes from './schedules.module.css';

/** The page of what a run started. */
function ResultLink({ task, run: { resource_id: id } }: { task: Schedule['task']; run: Run }) {
  if (id === null) return null;
  return task === 'gate' ? (
    <Link to="/gate/$gateId" params={{ gateId: id }}>
      Open the gate
    </Link>
  ) : (
    <Link to="/placement/$resultId" params={{ resultId: id }}>
      Open the result
    </Link>
  );
}

function Lines({
  title,
  mark,
  lines,
  total,
}: {
  title: string;
  mark: string;
  lines: readonly string[];
  total: number;
}) {
  if (total === 0) return null;
  return (
    <div>
      <h3 className={classes.linesTitle}>
        {title}: {total}
      </h3>
      <pre className={classes.lines} data-mark={mark} tabIndex={0}>
        {lines.map((line) => `${mark} ${line}`).join('\n')}
        {total > lines.length && `\n… and ${total - lines.length} more`}
      </pre>
    </div>
  );
}

function RunRow({ task, run }: { task: Schedule['task']; run: Run }) {
  const { state, message, change, started_at: started } = run;
  return (
    <li className={classes.run}>
      <span className={classes.when}>
        <When at={new Date(started)} />
      </span>
      <span>
        <RunState state={state} />
      </span>
      <div className={classes.what}>
        <p>{state === 'running' ? 'It is under way.' : message}</p>
        {change && (
          <>
            <Lines title="New lines" mark="+" lines={change.added} total={change.added_count} />
            <Lines title="Lines that are gone" mark="-" lines={change.removed} total={change.removed_count} />
          </>
        )}
        <ResultLink task={task} run={run} />
      </div>
    </li>
  );
}

function Runs({ schedule }: { schedule: Schedule }) {
  const { data, error } = useQuery(runsQuery(schedule.id, schedule.last_run));
  return (
    <section>
      <h2 className={classes.title}>Runs</h2>
      {error && (
        <Alert color="red" title="The runs could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {!data && !error && <Skeleton height={80} />}
      {data?.total === 0 && <Notice title="It has not run yet">Run it now to see what comes of it.</Notice>}
      {data && data.items.length > 0 && (
        <ul className={classes.runs}>
          {data.items.map((run) => (
            <RunRow key={run.id} task={schedule.task} run={run} />
          ))}
        </ul>
      )}
      {data && data.total > RUNS_SHOWN && (
        <p>
          The newest {RUNS_SHOWN} of {data.total} runs are shown; the API lists all.
        </p>
      )}
    </section>
  );
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const ABOUT: Readonly<Record<Schedule['task'], string>> = { gate: 'Email', placement: 'Subject', page: 'Page' };

function Details({ schedule }: { schedule: Schedule }) {
  const { task, next_at: next, request } = schedule;
  const about = textOf(request.url) ?? textOf(request.subject) ?? textOf(request.name);
  const facts: [name: string, value: ReactNode][] = [
    ['What it does', TASK_LABELS[task]],
    ['When', timesWords(schedule)],
    ['Next run', next ? <When at={new Date(next)} /> : 'It is paused.'],
  ];
  if (about !== undefined) facts.splice(1, 0, [ABOUT[task], <bdi>{about}</bdi>]);
  return <Facts facts={facts} />;
}

/** One schedule, its runs, and what can be done with it. */
export function SchedulePage() {
  const { scheduleId } = useParams({ from: '/shell/schedules/$scheduleId' });
  const navigate = useNavigate();
  const { data, error } = useQuery(scheduleQuery(scheduleId));
  const { canWrite } = useRole();
  const [isOpen, dialog] = useDisclosure();
  const { run, turn, askDelete } = useScheduleActions(() => void navigate({ to: '/schedules' }));
  if (error)
    return (
      <Notice isPage title="This schedule could not be loaded" action={<Link to="/schedules">All schedules</Link>}>
        {sentenceOf(error)}
      </Notice>
    );
  if (!data) return <Skeleton height={160} />;
  return (
    <>
      <PageHead title={data.name}>
        {canWrite && (
          <>
            <Button size="xs" disabled={data.last_run?.state === 'running'} onClick={() => void run(data)}>
              Run now
            </Button>
            <Button size="xs" variant="default" onClick={() => void turn(data, !data.on)}>
              {data.on ? 'Pause' : 'Switch on'}
            </Button>
            <Button size="xs" variant="default" onClick={dialog.open}>
              Change
            </Button>
            <Button size="xs" variant="default" onClick={() => askDelete(data)}>
              Delete
            </Button>
          </>
        )}
      </PageHead>
      <Details schedule={data} />
      <Runs schedule={data} />
      {isOpen && <ScheduleDialog schedule={data} onClose={dialog.close} />}
    </>
  );
}
