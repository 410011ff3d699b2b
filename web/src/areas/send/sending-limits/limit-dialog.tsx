import { Alert, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { useDraft } from '../../../ground/shell/use-draft.ts';
import { domainsQuery } from '../../../shared/mail/mail-api.ts';
import { PERIODS, SCOPES, whoseWords } from './limits-words.ts';
import { ipsQuery, limitsQuery, type Limit } from './rules-api.ts';

interface LimitDialogProps {
  /** Whose number is changed; undefined: a limit is added. */
  limit: Limit | undefined;
  onClose: () => void;
}

type Draft = Pick<Limit, 'scope' | 'name' | 'period'> & Record<'max', string>;

const MAX = 1_000_000_000;
const isCount = (text: string): boolean => /^[1-9]\d{0,9}$/.test(text.trim()) && Number(text) <= MAX;

/** What is counted, for a limit that is added. */
function ScopeFields({ draft, change }: { draft: Draft; change: (part: Partial<Draft>) => void }) {
  const { data: domains = [] } = useQuery(domainsQuery);
  const { data: limits } = useQuery(limitsQuery);
  const { scope, name, period } = draft;
  const { data: ips = [] } = useQuery({ ...ipsQuery, enabled: scope === 'ip' });
  const names = {
    account: [],
    domain: domains.map((domain) => domain.name),
    provider: limits?.providers ?? [],
    ip: ips,
  }[scope];
  return (
    <>
      <Select
        label="What is counted"
        description={SCOPES.find(({ value }) => value === scope)?.about}
        data={SCOPES.map(({ value, label }) => ({ value, label }))}
        value={scope}
        allowDeselect={false}
        onChange={(value) => value && change({ scope: value as Limit['scope'], name: '' })}
      />
      {scope !== 'account' && (
        <Select
          label={SCOPES.find(({ value }) => value === scope)?.label}
          placeholder="Choose one"
          nothingFoundMessage={scope === 'ip' ? 'This account has no IP addresses of its own.' : 'Nothing matches.'}
          data={names}
          value={name === '' ? null : name}
          searchable
          onChange={(value) => change({ name: value ?? '' })}
        />
      )}
      <Select
        label="Per"
        description="Of the clock in UTC."
        data={[...PERIODS]}
        value={period}
        allowDeselect={false}
        onChange={(value) => value && change({ period: value as Limit['period'] })}
      />
    </>
  );
}

/** Adds a limit, or changes the number of one. */
export function SendingLimitDialog({ limit, onClose }: LimitDialogProps) {
  const { draft, change, saving, submit } = useDraft<Draft>({
    first: () => ({
      scope: limit?.scope ?? 'account',
      name: limit?.name ?? '',
      period: limit?.period ?? 'hour',
      max: limit ? String(limit.max) : '',
    }),
    save: ({ max, ...given }) => api.call('PUT /v1/galley/sending_limits', { body: { ...given, max: Number(max) } }),
    queryKey: limitsQuery.queryKey,
    onClose,
  });
  const isComplete = isCount(draft.max) && (draft.scope === 'account' || draft.name !== '');
  return (
    <Dialog onClose={onClose} title={limit ? `${whoseWords(limit)}: change the limit` : 'Add a sending limit'}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {saving.error && (
            <Alert color="red" title="The limit was not saved">
              {sentenceOf(saving.error)}
            </Alert>
          )}
          {!limit && <ScopeFields draft={draft} change={change} />}
          <TextInput
            label={limit ? `Messages per ${limit.period}, at most` : 'Messages, at most'}
            description="One message to 10 recipients counts as 10; each new attempt counts again."
            inputMode="numeric"
            value={draft.max}
            error={draft.max !== '' && !isCount(draft.max) && 'A whole number from 1 to 1,000,000,000.'}
            onChange={(event) => change({ max: event.currentTarget.value })}
          />
          <Group gap="xs">
            <Button type="submit" loading={saving.isPending} disabled={!isComplete}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
