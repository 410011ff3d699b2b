import { Alert, Button, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sentenceOf } from '../../../ground/api.ts';
import { PlusIcon } from '../../../ground/brand/icons.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { Ago, When } from '../../../ground/shell/when.tsx';
import { count } from '../../../ground/words.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { RunState } from './run-state.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { schedulesQuery, TASK_LABELS, timesWords, type ListedSchedule } from './schedules-api.ts';

function Row({ schedule }: { schedule: ListedSchedule }) {
  const { id, name, task, next_at: next, last_run: last } = schedule;
  return (
    <li className={mailClasses.row}>
      <Link to="/schedules/$scheduleId" params={{ scheduleId: id }} className={mailClasses.open}>
        <span>
          <span className={mailClasses.subject}>{name}</span>
          <span className={mailClasses.facts}>
            <span>{TASK_LABELS[task]}</span>
            <span>{timesWords(schedule)}</span>
            <span>{next ? <>next: {<When at={new Date(next)} />}</> : 'paused'}</span>
            {last && (
              <span>
                last run <Ago at={new Date(last.started_at)} />
              </span>
            )}
          </span>
        </span>
        {last ? <RunState state={last.state} /> : <span className={mailClasses.facts}>has not run yet</span>}
      </Link>
    </li>
  );
}

/** Gates, placement tests and watched pages that run by themselves. */
export function SchedulesPage() {
  const { data, error, isPending } = useQuery(schedulesQuery);
  const { canWrite } = useRole();
  const [isOpen, dialog] = useDisclosure();
  return (
    <>
      <PageHead
        title="Schedules"
        lead="Gates, placement tests and watched pages that run by themselves. Alerts say when one fails."
      >
        {canWrite && (
          <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={dialog.open}>
            New schedule
          </Button>
        )}
      </PageHead>
      {error && (
        <Alert color="red" title="The schedules could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={110} />}
      {data?.total === 0 && (
        <Notice title="No schedules yet" action={canWrite && <Button onClick={dialog.open}>New schedule</Button>}>
          Run a placement test every Monday, or check a page each morning and hear of it when it changes.
        </Notice>
      )}
      {data && data.items.length > 0 && (
        <ul className={mailClasses.rows}>
          {data.items.map((schedule) => (
            <Row key={schedule.id} schedule={schedule} />
          ))}
        </ul>
      )}
      {data && data.total > data.items.length && (
        <p>
          The newest {data.items.length} of {count(data.total, 'schedule', 'schedules')} are shown; the API lists all.
        </p>
      )}
      {isOpen && <ScheduleDialog schedule={undefined} onClose={dialog.close} />}
    </>
  );
}
