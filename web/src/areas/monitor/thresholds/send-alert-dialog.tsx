import { Alert, Button, Group, MultiSelect, Select, Stack, TextInput } from '@mantine/core';
import { api, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { useDraft } from '../../../ground/shell/use-draft.ts';
import { DIMENSIONS, percentOf, SEND_METRICS, shareOf, type SendAlert } from './thresholds-api.ts';

interface SendAlertDialogProps {
  /** What is changed; undefined for a new one. */
  alert: SendAlert | undefined;
  onClose: () => void;
}

const COMPARATORS: readonly { value: SendAlert['comparator']; label: string }[] = [
  { value: '>', label: 'is above' },
  { value: '>=', label: 'is at or above' },
  { value: '<', label: 'is below' },
  { value: '<=', label: 'is at or below' },
  { value: '=', label: 'is exactly' },
  { value: '!=', label: 'is anything but' },
];
const CHANNELS = [
  { value: 'email', label: 'Email' },
  { value: 'webhook', label: 'Webhook' },
  { value: 'slack', label: 'Slack' },
];

type Draft = Pick<SendAlert, 'name' | 'metric' | 'comparator' | 'dimension' | 'period' | 'alert_channels'> & {
  percent: string;
};

function draftOf(alert: SendAlert | undefined): Draft {
  if (alert) return { ...alert, percent: percentOf(alert.limit) };
  return {
    name: '',
    metric: 'hard_bounce_rate',
    comparator: '>',
    dimension: 'domain',
    period: '1h',
    percent: '2',
    alert_channels: ['email', 'webhook', 'slack'],
  };
}

interface FieldsProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
}

function Rate({ draft, change }: FieldsProps) {
  return (
    <>
      <Select
        label="Rate"
        value={draft.metric}
        allowDeselect={false}
        data={[...SEND_METRICS]}
        onChange={(metric) => metric !== null && change({ metric: metric as Draft['metric'] })}
      />
      <Group gap="xs" grow align="flex-start">
        <Select
          label="When it"
          value={draft.comparator}
          allowDeselect={false}
          data={[...COMPARATORS]}
          onChange={(comparator) => comparator !== null && change({ comparator: comparator as Draft['comparator'] })}
        />
        <TextInput
          label="Percent"
          inputMode="decimal"
          value={draft.percent}
          error={shareOf(draft.percent) === undefined && 'From 0 to 100, such as 2.5.'}
          onChange={(event) => change({ percent: event.currentTarget.value })}
        />
      </Group>
    </>
  );
}

function Fields({ draft, change }: FieldsProps) {
  return (
    <>
      <TextInput label="Name" value={draft.name} onChange={(event) => change({ name: event.currentTarget.value })} />
      <Rate draft={draft} change={change} />
      <TextInput
        label="In the last"
        description="Minutes, hours or days: 30m, 1h, 7d. At most 31d."
        value={draft.period}
        onChange={(event) => change({ period: event.currentTarget.value.trim() })}
      />
      <Select
        label="For each"
        value={draft.dimension}
        allowDeselect={false}
        data={[...DIMENSIONS]}
        onChange={(dimension) => dimension !== null && change({ dimension: dimension as Draft['dimension'] })}
      />
      <MultiSelect
        label="Channels"
        description="Alert settings of these channels are notified."
        value={draft.alert_channels}
        data={CHANNELS}
        onChange={(channels) => change({ alert_channels: channels as Draft['alert_channels'] })}
      />
    </>
  );
}

/** Which rate is watched, and when somebody is notified. */
export function SendAlertDialog({ alert, onClose }: SendAlertDialogProps) {
  const { draft, change, saving, submit } = useDraft<Draft>({
    first: () => draftOf(alert),
    async save({ name, metric, comparator, dimension, period, alert_channels, percent }) {
      const body = {
        name: name.trim(),
        metric,
        comparator,
        dimension,
        period,
        alert_channels,
        limit: shareOf(percent) ?? '',
        ...(alert && { filters: alert.filters, description: alert.description }),
      };
      if (alert) await api.call('PUT /v1/thresholds/alerts/send/{name}', { path: { name: alert.name }, body });
      else await api.call('POST /v1/thresholds/alerts/send', { body });
    },
    queryKey: ['thresholds'],
    onClose,
  });
  const share = shareOf(draft.percent);
  return (
    <Dialog onClose={onClose} title={alert ? 'Edit alert on sending' : 'New alert on sending'}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {saving.error && (
            <Alert color="red" title="The alert was not saved">
              {sentenceOf(saving.error)}
            </Alert>
          )}
          <Fields draft={draft} change={change} />
          {alert && alert.filters.length > 0 && <p>Its filters stay as they are. Change them with the API.</p>}
          <Group gap="xs">
            <Button type="submit" loading={saving.isPending} disabled={draft.name.trim() === '' || share === undefined}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
