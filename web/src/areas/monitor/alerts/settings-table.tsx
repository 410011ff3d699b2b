import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, sentenceOf } from '../../../ground/api.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { ActionsHead } from '../../../ground/shell/row-actions.tsx';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import { ActionsCell } from '../../../shared/send/actions-cell.tsx';
import sendClasses from '../../../shared/send/send.module.css';
import { CHANNELS, eventLabel, slackChannelsQuery, targetsOf, type AlertSetting } from './alerts-api.ts';

const channelLabel = ({ channel }: AlertSetting): string =>
  CHANNELS.find(({ value }) => value === channel)?.label ?? channel;

/** Where a setting leads, with the names of channels where Slack says them. */
function useTargetNames(settings: readonly AlertSetting[]): (setting: AlertSetting) => string {
  const hasChannels = settings.some(({ settings: { channel_ids: ids } }) => ids !== undefined);
  const { data } = useQuery({ ...slackChannelsQuery, enabled: hasChannels });
  const names = new Map(data?.channels.map(({ id, name }) => [id, `#${name}`]));
  return (setting) =>
    targetsOf(setting)
      .map((target) => names.get(target) ?? target)
      .join(', ');
}

function useDelete(namesOf: (setting: AlertSetting) => string) {
  const queries = useQueryClient();
  const remove = async ({ id }: AlertSetting): Promise<void> => {
    try {
      await api.call('DELETE /v1/alerts/settings/events/{id}', { path: { id } });
    } catch (error) {
      tell({ color: 'red', title: 'The setting was not deleted', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['alert-settings'] });
  };
  return (setting: AlertSetting): void =>
    ask({
      title: 'Delete this alert setting?',
      text: `${namesOf(setting).slice(0, 300)} gets no more alerts of "${eventLabel(setting.event_type)}".`,
      confirm: 'Delete',
      onConfirm: () => void remove(setting),
    });
}

function StateOf({ setting }: { setting: AlertSetting }) {
  if (setting.disabled_at !== null) return <Chip tone="bad">disabled</Chip>;
  const some = { ...setting.disabled_emails, ...setting.disabled_channel_ids };
  return Object.keys(some).length > 0 ? <Chip tone="doubt">partly disabled</Chip> : <Chip tone="good">active</Chip>;
}

interface TableProps {
  settings: readonly AlertSetting[];
  onEdit: ((setting: AlertSetting) => void) | undefined;
}

/** Which event goes where. */
export function SettingsTable({ settings, onEdit }: TableProps) {
  const namesOf = useTargetNames(settings);
  const askDelete = useDelete(namesOf);
  return (
    <Sideways label="Alert settings, table" minWidth={640}>
      <table className={sendClasses.table}>
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Channel</th>
            <th scope="col">Goes to</th>
            <th scope="col">State</th>
            <ActionsHead />
          </tr>
        </thead>
        <tbody>
          {settings.map((setting) => (
            <tr key={setting.id}>
              <td>{eventLabel(setting.event_type)}</td>
              <td>{channelLabel(setting)}</td>
              <td>
                <bdi>{namesOf(setting)}</bdi>
                {setting.settings.digest && ` (${setting.settings.digest})`}
              </td>
              <td>
                <StateOf setting={setting} />
              </td>
              <ActionsCell
                name={`${eventLabel(setting.event_type)}, ${channelLabel(setting)}`}
                onEdit={onEdit && (() => onEdit(setting))}
                onDelete={() => askDelete(setting)}
              />
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}
