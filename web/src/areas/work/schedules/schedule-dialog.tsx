import { Alert, Button, Checkbox, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { fieldOf, sentenceOf, api } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { useDraft } from '../../../ground/shell/use-draft.ts';
import { nameOf, WEEK, ZONES_SHOWN, zonesWith, type Weekday } from '../../../ground/week.ts';
import { schedulesQuery, TASK_LABELS, type Schedule, type Task } from './schedules-api.ts';

interface Draft {
  name: string;
  task: Task;
  url: string;
  from: string;
  subject: string;
  html: string;
  at: string;
  timeZone: string;
  weekdays: Weekday[];
}

interface FieldsProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  /** The field that the service refused. */
  fault: (name: string) => string | undefined;
}

const ABOUT: Readonly<Record<Task, string>> = {
  gate: 'All checks on the page at a URL, judged by the default policy.',
  placement: 'A message to a new list of seeds, and where it landed.',
  page: 'The visible text of a page is compared with the time before; an alert says what changed.',
};

function TaskFields({ draft, change, fault }: FieldsProps) {
  if (draft.task === 'placement')
    return (
      <>
        <TextInput
          label="From"
          description="An address at a verified sending domain."
          value={draft.from}
          error={fault('from')}
          onChange={(event) => change({ from: event.currentTarget.value })}
        />
        <TextInput
          label="Subject"
          value={draft.subject}
          error={fault('subject')}
          onChange={(event) => change({ subject: event.currentTarget.value })}
        />
        <Textarea
          label="HTML"
          autosize
          minRows={4}
          maxRows={10}
          value={draft.html}
          error={fault('html')}
          onChange={(event) => change({ html: event.currentTarget.value })}
        />
      </>
    );
  return (
    <TextInput
      label="URL"
      name="url"
      placeholder="https://"
      type="url"
      value={draft.url}
      error={fault('url')}
      onChange={(event) => change({ url: event.currentTarget.value })}
    />
  );
}

function TimeFields({ draft, change, fault }: FieldsProps) {
  return (
    <>
      <Group gap="sm" align="start" wrap="wrap">
        <TextInput
          type="time"
          label="Time"
          value={draft.at}
          onChange={(event) => change({ at: event.currentTarget.value })}
        />
        <Select
          label="Time zone"
          data={zonesWith(draft.timeZone)}
          value={draft.timeZone}
          error={fault('time_zone')}
          allowDeselect={false}
          searchable
          limit={ZONES_SHOWN}
          onChange={(value) => value && change({ timeZone: value })}
        />
      </Group>
      <Checkbox.Group
        label="Days"
        value={draft.weekdays}
        error={draft.weekdays.length === 0 && 'Choose at least one day.'}
        onChange={(days) => change({ weekdays: days as Weekday[] })}
      >
        <Group gap="xs" mt={6}>
          {WEEK.map((day) => (
            <Checkbox key={day} value={day} label={nameOf(day)} />
          ))}
        </Group>
      </Checkbox.Group>
    </>
  );
}

const textIn = (request: Record<string, unknown> | undefined, name: string): string => {
  const value = request?.[name];
  return typeof value === 'string' ? value : '';
};

function firstDraft(schedule: Schedule | undefined): Draft {
  const request = schedule?.request;
  return {
    name: schedule?.name ?? '',
    task: schedule?.task ?? 'gate',
    url: textIn(request, 'url'),
    from: textIn(request, 'from'),
    subject: textIn(request, 'subject'),
    html: textIn(request, 'html'),
    at: schedule?.at ?? '09:00',
    timeZone: schedule?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    weekdays: schedule?.weekdays ?? [...WEEK],
  };
}

/** What the form holds of a task, over what the API was given beside it, such as a policy. */
function taskOf(draft: Draft, before: Schedule | undefined) {
  const kept = before?.task === draft.task ? before.request : {};
  const { url, from, subject, html } = draft;
  if (draft.task === 'placement') return { placement: { ...kept, from, subject, ...(html !== '' && { html }) } };
  return draft.task === 'gate' ? { gate: { ...kept, url } } : { page: { url } };
}

const isComplete = ({ name, task, url, from, subject, at, weekdays }: Draft, isOfUrl: boolean): boolean =>
  name.trim() !== '' &&
  at !== '' &&
  weekdays.length > 0 &&
  (task === 'placement' ? from !== '' && subject !== '' : !isOfUrl || url !== '');

/** Makes a schedule, or changes one. What only the API takes, such as a policy or a template, stays as it is. */
export function ScheduleDialog({ schedule, onClose }: { schedule: Schedule | undefined; onClose: () => void }) {
  const { draft, change, saving, submit } = useDraft<Draft>({
    first: () => firstDraft(schedule),
    save: (given) => {
      const body = { name: given.name, at: given.at, time_zone: given.timeZone, weekdays: given.weekdays };
      return schedule
        ? api.call('PATCH /v1/schedules/{schedule_id}', {
            path: { schedule_id: schedule.id },
            body: { ...body, ...(isOfUrl(given) && taskOf(given, schedule)) },
          })
        : api.call('POST /v1/schedules', { body: { ...body, ...taskOf(given, undefined) } });
    },
    queryKey: schedulesQuery.queryKey,
    onClose,
  });
  /** A gate on HTML or a template is made by the API, and its source is not in this form. */
  function isOfUrl({ task }: Draft): boolean {
    return task !== 'gate' || schedule?.task !== 'gate' || textIn(schedule.request, 'url') !== '';
  }
  const fault = (name: string): string | undefined =>
    fieldOf(saving.error, [name, `${draft.task}.${name}`]) === undefined ? undefined : sentenceOf(saving.error);
  return (
    <Dialog onClose={onClose} title={schedule ? 'Change the schedule' : 'New schedule'}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {saving.error && (
            <Alert color="red" title="The schedule was not saved">
              {sentenceOf(saving.error)}
            </Alert>
          )}
          <TextInput
            label="Name"
            name="name"
            value={draft.name}
            maxLength={200}
            onChange={(event) => change({ name: event.currentTarget.value })}
            data-autofocus
          />
          <Select
            label="What it does"
            name="task"
            description={ABOUT[draft.task]}
            data={Object.entries(TASK_LABELS).map(([value, label]) => ({ value, label }))}
            value={draft.task}
            allowDeselect={false}
            onChange={(value) => value && change({ task: value as Task })}
          />
          {isOfUrl(draft) ? (
            <TaskFields draft={draft} change={change} fault={fault} />
          ) : (
            <Alert title="The email of this gate was given by the API">It stays as it is.</Alert>
          )}
          <TimeFields draft={draft} change={change} fault={fault} />
          <Button type="submit" loading={saving.isPending} disabled={!isComplete(draft, isOfUrl(draft))}>
            {schedule ? 'Save' : 'Create schedule'}
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}
