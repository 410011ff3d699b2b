import { Alert, Button, Group, MultiSelect, Select, Stack, TextInput } from '@mantine/core';
import { api, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { useDraft } from '../../../ground/shell/use-draft.ts';
import { useAccounts } from './use-accounts.ts';
import { LIMIT_MAX, LIMIT_METRICS, PERIODS, type Limit } from './thresholds-api.ts';

interface LimitDialogProps {
  /** What is changed; undefined for a new one. */
  limit: Limit | undefined;
  onClose: () => void;
}

type Scope = 'account' | 'each' | 'some';
const SCOPES: readonly { value: Scope; label: string }[] = [
  { value: 'each', label: 'The account and each subaccount, separately' },
  { value: 'account', label: 'The account, without its subaccounts' },
  { value: 'some', label: 'Selected accounts, each separately' },
];

interface Draft {
  name: string;
  metric: Limit['metric'];
  max: string;
  period: string;
  scope: Scope;
  accounts: string[];
}

/** What a limit can be. */
const isCount = (text: string): boolean => /^\d{1,10}$/.test(text.trim()) && Number(text) <= LIMIT_MAX;

/** Filters that this dialog cannot show stay as they are. */
const isSimple = ({ filters }: Pick<Limit, 'filters'>): boolean =>
  filters.length === 0 || (filters.length === 1 && filters[0]?.comparator === '=');

function draftOf(limit: Limit | undefined): Draft {
  const chosen = limit?.filters.flatMap(({ values }) => values) ?? [];
  return {
    name: limit?.name ?? '',
    metric: limit?.metric ?? 'email_preview_success_count',
    max: limit?.limit ?? '100',
    period: limit?.period ?? '1d',
    scope: limit && limit.dimension !== 'subaccount' ? 'account' : chosen.length > 0 ? 'some' : 'each',
    accounts: chosen,
  };
}

function bodyOf({ name, metric, max, period, scope, accounts }: Draft, limit: Limit | undefined) {
  // Each dimension but subaccounts stands for the account itself.
  const ownDimension = limit && limit.dimension !== 'subaccount' ? limit.dimension : ('domain' as const);
  const isKept = limit !== undefined && !isSimple(limit);
  const chosen = [{ dimension: 'subaccount' as const, comparator: '=' as const, values: accounts }];
  return {
    name: name.trim(),
    metric,
    limit: max.trim(),
    period,
    comparator: limit?.comparator ?? ('>=' as const),
    dimension: scope === 'account' ? ownDimension : ('subaccount' as const),
    filters: isKept ? limit.filters : scope === 'some' ? chosen : [],
    ...(limit && { description: limit.description }),
    ...(limit?.alert_channels && { alert_channels: limit.alert_channels }),
  };
}

function ScopeFields({ draft, change }: { draft: Draft; change: (part: Partial<Draft>) => void }) {
  const { list, error } = useAccounts();
  return (
    <>
      <Select
        label="Applies to"
        value={draft.scope}
        allowDeselect={false}
        data={[...SCOPES]}
        onChange={(scope) => scope !== null && change({ scope: scope as Scope })}
      />
      {draft.scope === 'some' && (
        <MultiSelect
          label="Accounts"
          value={draft.accounts}
          data={list.map(({ id, name }) => ({ value: id, label: name }))}
          error={error && `The subaccounts could not be loaded: ${sentenceOf(error)}`}
          searchable
          onChange={(accounts) => change({ accounts })}
        />
      )}
    </>
  );
}

/** How many uses are let through, of what, and for whom. */
export function LimitDialog({ limit, onClose }: LimitDialogProps) {
  const { draft, change, saving, submit } = useDraft<Draft>({
    first: () => draftOf(limit),
    async save(given) {
      const body = bodyOf(given, limit);
      if (limit) await api.call('PUT /v1/thresholds/limits/{name}', { path: { name: limit.name }, body });
      else await api.call('POST /v1/thresholds/limits', { body });
    },
    queryKey: ['thresholds'],
    onClose,
  });
  const isIncomplete =
    draft.name.trim() === '' || !isCount(draft.max) || (draft.scope === 'some' && draft.accounts.length === 0);
  return (
    <Dialog onClose={onClose} title={limit ? 'Edit limit' : 'New limit'}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {saving.error && (
            <Alert color="red" title="The limit was not saved">
              {sentenceOf(saving.error)}
            </Alert>
          )}
          <TextInput
            label="Name"
            value={draft.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <Select
            label="What is limited"
            value={draft.metric}
            allowDeselect={false}
            data={[...LIMIT_METRICS]}
            onChange={(metric) => metric !== null && change({ metric: metric as Draft['metric'] })}
          />
          <TextInput
            label="At most"
            description="More than that is refused until the next hour, day or month (UTC)."
            inputMode="numeric"
            value={draft.max}
            error={!isCount(draft.max) && 'A whole number from 0 to 1,000,000,000.'}
            onChange={(event) => change({ max: event.currentTarget.value })}
          />
          <Select
            label="Per"
            value={draft.period}
            allowDeselect={false}
            data={[...PERIODS]}
            onChange={(period) => period !== null && change({ period })}
          />
          {limit && !isSimple(limit) ? (
            <p>Its filters say whom it applies to. Change them with the API.</p>
          ) : (
            <ScopeFields draft={draft} change={change} />
          )}
          <Group gap="xs">
            <Button type="submit" loading={saving.isPending} disabled={isIncomplete}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
