import { Alert, Button, Group, SegmentedControl, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { useDraft } from '../../../ground/shell/use-draft.ts';
import {
  CHANNELS,
  eventLabel,
  eventsQuery,
  settingsQuery,
  targetsOf,
  type AlertSetting,
  type Channel,
} from './alerts-api.ts';
import { SlackTargets } from './slack-targets.tsx';

interface SettingDialogProps {
  /** What is changed; undefined for a new one. */
  setting: AlertSetting | undefined;
  onClose: () => void;
}

interface Draft {
  event: string;
  channel: Channel;
  targets: string[];
  digest: 'hourly' | 'daily' | null;
  /** Of Slack: an incoming webhook in place of channels. */
  isUrl: boolean;
}

const draftOf = (setting: AlertSetting | undefined): Draft => ({
  event: setting?.event_type ?? 'ip_listed',
  channel: setting?.channel ?? 'email',
  targets: setting ? targetsOf(setting) : [],
  digest: setting?.settings.digest ?? null,
  isUrl: setting?.settings.url !== undefined,
});

function settingsOf({ channel, targets, digest, isUrl }: Draft): AlertSetting['settings'] {
  if (channel === 'webhook') return { url: targets[0] ?? '' };
  if (channel === 'email') return { emails: targets, ...(digest && { digest }) };
  return isUrl ? { url: targets[0] ?? '' } : { channel_ids: targets };
}

async function testDraft(draft: Draft): Promise<void> {
  const settings = settingsOf(draft);
  const event = { event_type: draft.event };
  if (draft.channel === 'email')
    await api.call('POST /v1/alerts/email/test', { body: { ...event, emails: settings.emails ?? [] } });
  else if (draft.channel === 'webhook')
    await api.call('POST /v1/alerts/webhooks/test', { body: { ...event, url: settings.url ?? '' } });
  else await api.call('POST /v1/alerts/slack/test', { body: { ...event, ...settings } });
}

interface TargetsProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
}

function Targets({ draft, change }: TargetsProps) {
  const onChange = (targets: string[]): void => change({ targets });
  if (draft.channel === 'slack') return <SlackTargets {...draft} onChange={change} />;
  if (draft.channel === 'email')
    return (
      <TagsInput
        label="Email addresses"
        description="Press Enter after each address. At most ten."
        value={draft.targets}
        maxTags={10}
        acceptValueOnBlur
        onChange={onChange}
      />
    );
  return (
    <TextInput
      label="URL"
      description="Must answer a GET request with 200. Alerts are posted here as signed JSON."
      placeholder="https://shop.example.com/alerts"
      value={draft.targets[0] ?? ''}
      onChange={(event) => onChange([event.currentTarget.value.trim()])}
    />
  );
}

/** An event, and who is told of it. */
export function SettingDialog({ setting, onClose }: SettingDialogProps) {
  const { data: events = [] } = useQuery(eventsQuery);
  const { data: settings } = useQuery(settingsQuery);
  const { draft, saving, submit, ...edited } = useDraft<Draft>({
    first: () => draftOf(setting),
    async save(given) {
      const body = { event_type: given.event, channel: given.channel, settings: settingsOf(given) };
      if (setting) await api.call('PUT /v1/alerts/settings/events/{id}', { path: { id: setting.id }, body });
      else await api.call('POST /v1/alerts/settings/events', { body });
    },
    queryKey: ['alert-settings'],
    onClose,
  });
  const test = useMutation({ mutationFn: () => testDraft(draft) });
  const change = (part: Partial<Draft>): void => (edited.change(part), test.reset());
  const error = saving.error ?? test.error;
  const isEmpty = draft.targets.every((target) => target === '');
  return (
    <Dialog onClose={onClose} title={setting ? 'Edit alert setting' : 'New alert setting'}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {error && (
            <Alert color="red" title={saving.error ? 'The setting was not saved' : 'The test was not taken'}>
              {sentenceOf(error)}
            </Alert>
          )}
          <Select
            label="Event"
            value={draft.event}
            allowDeselect={false}
            data={events.map((value) => ({ value, label: eventLabel(value) }))}
            onChange={(event) => event !== null && change({ event })}
          />
          <SegmentedControl
            aria-label="Channel"
            value={draft.channel}
            data={[...CHANNELS]}
            onChange={(channel) =>
              change({ channel: channel as Channel, targets: [], isUrl: settings?.slack.token == null })
            }
          />
          <Targets draft={draft} change={change} />
          {draft.channel === 'email' && (
            <Select
              label="How often"
              value={draft.digest ?? 'now'}
              allowDeselect={false}
              data={[
                { value: 'now', label: 'At once' },
                { value: 'hourly', label: 'One email an hour' },
                { value: 'daily', label: 'One email a day, at 08:00' },
              ]}
              onChange={(digest) => change({ digest: digest === 'hourly' || digest === 'daily' ? digest : null })}
            />
          )}
          {test.isSuccess && <p role="status">The test alert was sent.</p>}
          <Group gap="xs">
            <Button type="submit" loading={saving.isPending} disabled={isEmpty}>
              Save
            </Button>
            <Button variant="default" loading={test.isPending} disabled={isEmpty} onClick={() => test.mutate()}>
              Send test alert
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
