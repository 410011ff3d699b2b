// The hours in which messages of a domain leave.
import { Alert, Button, Checkbox, Group, Select, Skeleton, Stack, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { fieldOf, sentenceOf } from '../../../ground/api.ts';
import { useRole } from '../../../ground/shell/role.ts';
import { When } from '../../../ground/shell/when.tsx';
import { nameOf, WEEK, ZONES_SHOWN, zonesWith, type Weekday } from '../../../ground/week.ts';
import { calendarQuery, useSaveCalendar, type Calendar, type CalendarSettings as Draft } from './rules-api.ts';
import classes from './rules.module.css';
import { Week } from './week.tsx';

const NIGHT = { from: '20:00', until: '08:00' };

/** What happens to a message that is due now, for a recipient in a time zone that can be chosen. */
function NowLine({ domain, saved }: { domain: string; saved: Calendar }) {
  const [zone, setZone] = useState<string>();
  const { data = saved, error } = useQuery({ ...calendarQuery(domain, zone), enabled: zone !== undefined });
  const { now } = zone === undefined ? saved : data;
  return (
    <section className={classes.nowLine} aria-label="A message that is due now">
      <Select
        label="Time zone of the recipient"
        data={zonesWith(saved.time_zone)}
        value={zone ?? saved.time_zone}
        allowDeselect={false}
        searchable
        limit={ZONES_SHOWN}
        w={260}
        maw="100%"
        onChange={(value) => value && setZone(value)}
      />
      <p className={classes.verdict} role="status">
        {error ? (
          sentenceOf(error)
        ) : now.may_leave ? (
          <>
            <strong>A message that is due now is sent at once.</strong> {saved.mode === 'off' && 'The calendar is off.'}
          </>
        ) : (
          <>
            <strong>
              A message that is due now waits until <When at={new Date(now.leaves_at)} />.
            </strong>{' '}
            {now.reason}
          </>
        )}
      </p>
    </section>
  );
}

interface FieldsProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  isDisabled: boolean;
}

function QuietFields({ draft: { quiet_hours: quiet }, change, isDisabled, error }: FieldsProps & { error?: string }) {
  return (
    <div>
      <Switch
        label="Quiet hours"
        aria-label="Quiet hours"
        description="Every day between these two times messages wait."
        checked={quiet !== null}
        disabled={isDisabled}
        onChange={(event) => change({ quiet_hours: event.currentTarget.checked ? NIGHT : null })}
      />
      {quiet && (
        <div className={classes.times}>
          <TextInput
            type="time"
            label="From"
            value={quiet.from}
            disabled={isDisabled}
            error={error}
            onChange={(event) => change({ quiet_hours: { ...quiet, from: event.currentTarget.value } })}
          />
          <TextInput
            type="time"
            label="Until"
            value={quiet.until}
            disabled={isDisabled}
            onChange={(event) => change({ quiet_hours: { ...quiet, until: event.currentTarget.value } })}
          />
        </div>
      )}
    </div>
  );
}

function HoursFields({ draft, change, isDisabled }: FieldsProps) {
  return (
    <>
      <Select
        label="Time zone"
        description="Used for recipients whose own time zone is not known."
        data={zonesWith(draft.time_zone)}
        value={draft.time_zone}
        allowDeselect={false}
        searchable
        limit={ZONES_SHOWN}
        disabled={isDisabled}
        maw={360}
        onChange={(value) => value && change({ time_zone: value })}
      />
      <Checkbox.Group
        label="Days on which messages leave"
        value={draft.weekdays}
        error={draft.weekdays.length === 0 && 'Choose at least one day.'}
        onChange={(days) => change({ weekdays: days as Weekday[] })}
      >
        <div className={classes.days}>
          {WEEK.map((day) => (
            <Checkbox key={day} value={day} label={nameOf(day)} disabled={isDisabled} />
          ))}
        </div>
      </Checkbox.Group>
    </>
  );
}

const draftOf = ({ mode, time_zone, weekdays, quiet_hours }: Calendar): Draft => ({
  mode,
  time_zone,
  weekdays,
  quiet_hours,
});

/** The same for the same calendar, in whatever order its days were chosen. */
const keyOf = ({ mode, time_zone, weekdays, quiet_hours: quiet }: Draft): string =>
  [mode, time_zone, ...weekdays.toSorted(), quiet?.from, quiet?.until].join(' ');

function Form({ saved }: { saved: Calendar }) {
  const { canWrite } = useRole('domains');
  const save = useSaveCalendar(saved.domain);
  const [draft, setDraft] = useState(() => draftOf(saved));
  const change = (part: Partial<Draft>): void => (setDraft({ ...draft, ...part }), save.reset());
  const isChanged = keyOf(draft) !== keyOf(saved);
  const isTimed = draft.quiet_hours === null || (draft.quiet_hours.from !== '' && draft.quiet_hours.until !== '');
  const submit = (event: FormEvent): void => (event.preventDefault(), save.mutate(draft));
  const field = save.error ? fieldOf(save.error, ['quiet_hours']) : undefined;
  const isOn = draft.mode === 'on';
  const fields = { draft, change, isDisabled: !canWrite };
  return (
    <div className={classes.sides}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {save.error && field === undefined && (
            <Alert color="red" title="Nothing was changed">
              {sentenceOf(save.error)}
            </Alert>
          )}
          <Switch
            label="Use the calendar"
            aria-label="Use the calendar"
            description="Messages with o:transactional or o:testmode leave at any hour."
            checked={isOn}
            disabled={!canWrite}
            onChange={(event) => change({ mode: event.currentTarget.checked ? 'on' : 'off' })}
          />
          {isOn && (
            <>
              <HoursFields {...fields} />
              <QuietFields {...fields} {...(field && { error: sentenceOf(save.error) })} />
            </>
          )}
          {canWrite && (
            <Group>
              <Button
                type="submit"
                loading={save.isPending}
                disabled={!isChanged || !isTimed || draft.weekdays.length === 0}
              >
                Save calendar
              </Button>
            </Group>
          )}
        </Stack>
      </form>
      <Week hours={draft} zone={draft.time_zone} />
    </div>
  );
}

/** The calendar of a domain. */
export function CalendarPart({ domain }: { domain: string }) {
  const { data, error } = useQuery(calendarQuery(domain));
  if (error && !data)
    return (
      <Alert color="red" title="The calendar could not be loaded">
        {sentenceOf(error)}
      </Alert>
    );
  if (!data || data.domain !== domain) return <Skeleton height={260} />;
  return (
    <>
      <NowLine key={`${domain} ${data.time_zone}`} domain={domain} saved={data} />
      <Form key={`form ${domain}`} saved={data} />
    </>
  );
}
