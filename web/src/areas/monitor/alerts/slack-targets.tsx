import { Alert, MultiSelect, SegmentedControl, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sentenceOf } from '../../../ground/api.ts';
import { settingsQuery, slackChannelsQuery } from './alerts-api.ts';

const CHANNELS_MAX = 10;
const OPTIONS_SHOWN = 100;

interface SlackTargetsProps {
  targets: string[];
  /** It goes to an incoming webhook. */
  isUrl: boolean;
  onChange: (change: { targets: string[]; isUrl?: boolean }) => void;
}

function Channels({ targets, onChange: change }: Omit<SlackTargetsProps, 'isUrl'>) {
  const onChange = (chosen: string[]): void => change({ targets: chosen });
  const { data, error } = useQuery(slackChannelsQuery);
  if (error)
    return (
      <>
        <Alert color="red" title="The channels could not be listed">
          {sentenceOf(error)}
        </Alert>
        <TagsInput
          label="Channel ids"
          description="Press Enter after each id, such as C024BE91L. At most ten."
          value={targets}
          maxTags={CHANNELS_MAX}
          acceptValueOnBlur
          onChange={onChange}
        />
      </>
    );
  const { channels = [], hasMore = false } = data ?? {};
  const listed = channels.map(({ id, name }) => ({ value: id, label: `#${name}` }));
  const others = targets.filter((id) => channels.every((channel) => channel.id !== id));
  return (
    <MultiSelect
      label="Channels"
      description={
        hasMore
          ? `The first ${channels.length.toLocaleString('en')} channels are listed. At most ten can be chosen.`
          : 'Private channels are listed once the app is invited to them. At most ten can be chosen.'
      }
      placeholder={targets.length === 0 ? 'Search channels' : ''}
      searchable
      limit={OPTIONS_SHOWN}
      maxValues={CHANNELS_MAX}
      nothingFoundMessage={data ? 'No channels match' : 'Slack is being asked…'}
      value={targets}
      data={[...listed, ...others.map((id) => ({ value: id, label: id }))]}
      onChange={onChange}
    />
  );
}

/** Channels of the workspace that is connected, or an incoming webhook. */
export function SlackTargets({ targets, isUrl, onChange }: SlackTargetsProps) {
  const { data: settings } = useQuery(settingsQuery);
  const { token = null, team_name: team = null } = settings?.slack ?? {};
  return (
    <>
      {(token !== null || !isUrl) && (
        <SegmentedControl
          aria-label="Where in Slack"
          value={isUrl ? 'webhook' : 'channels'}
          data={[
            { value: 'channels', label: `Channels of ${team ?? 'the workspace'}` },
            { value: 'webhook', label: 'Incoming webhook' },
          ]}
          onChange={(value) => onChange({ targets: [], isUrl: value === 'webhook' })}
        />
      )}
      {isUrl ? (
        <TextInput
          label="Incoming webhook"
          description="A URL of Slack, or of a program that takes the same messages."
          placeholder="https://hooks.slack.com/services/…"
          value={targets[0] ?? ''}
          onChange={(event) => onChange({ targets: [event.currentTarget.value.trim()] })}
        />
      ) : (
        <Channels targets={targets} onChange={onChange} />
      )}
    </>
  );
}
