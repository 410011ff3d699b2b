import { Alert, Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, sentenceOf, type Subaccount } from '../../../ground/api.ts';
import { ask } from '../../../ground/shell/ask.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import classes from './accounts.module.css';
import { limitOf, MessageLimit } from './message-limit.tsx';

const FEATURES = [
  ['sending', 'Sending, over the API and by SMTP'],
  ['email_preview', 'Email previews'],
  ['inbox_placement', 'Placement tests'],
  ['validations', 'Address validation'],
  ['validations_bulk', 'Bulk address validation'],
] as const;
type Feature = (typeof FEATURES)[number][0];

/** Work on subaccounts, after which their list is read anew. */
function useChange() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: () => queries.invalidateQueries({ queryKey: ['subaccounts'] }),
  });
}

type Change = ReturnType<typeof useChange>;

function Features({ account, change }: { account: Subaccount; change: Change }) {
  const put = (name: Feature, enabled: boolean): void =>
    change.mutate(() =>
      api.call('PUT /v5/accounts/subaccounts/{subaccount_id}/features', {
        path: { subaccount_id: account.id },
        body: { [name]: { enabled } },
      }),
    );
  return (
    <section className={classes.dialogPart} aria-label="Features">
      <h3>Features</h3>
      <Stack gap="xs">
        {FEATURES.map(([name, label]) => (
          <Switch
            key={name}
            label={label}
            checked={account.features[name].enabled}
            disabled={change.isPending}
            onChange={(event) => put(name, event.currentTarget.checked)}
          />
        ))}
      </Stack>
    </section>
  );
}

function Status({ account, change, onClose }: { account: Subaccount; change: Change; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const path = { subaccount_id: account.id };
  const close = (): void =>
    ask({
      title: `Close ${account.name}?`,
      text:
        'Its keys stop working at once and messages that wait are not sent. Its keys, domains, webhooks, suppressions ' +
        'and events are deleted. This cannot be undone.',
      confirm: 'Close subaccount',
      onConfirm: () =>
        change.mutate(
          () => api.call('DELETE /v5/accounts/subaccounts', {}, { headers: { 'X-Service-Account-Id': account.id } }),
          { onSuccess: onClose },
        ),
    });
  return (
    <section className={classes.dialogPart} aria-label="Status">
      <h3>{account.status === 'open' ? 'Disable or close' : 'Disabled'}</h3>
      {account.status === 'open' ? (
        <TextInput
          label="Reason"
          placeholder="Shown with the subaccount until you enable it"
          value={reason}
          maxLength={200}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      ) : (
        <Text size="sm">{account.disabled_reason ?? 'No reason was given.'}</Text>
      )}
      <Group gap="sm" mt="sm">
        {account.status === 'open' ? (
          <Button
            variant="default"
            loading={change.isPending}
            onClick={() =>
              change.mutate(() =>
                api.call('POST /v5/accounts/subaccounts/{subaccount_id}/disable', {
                  path,
                  body: reason.trim() === '' ? {} : { reason: reason.trim() },
                }),
              )
            }
          >
            Disable
          </Button>
        ) : (
          <Button
            variant="default"
            loading={change.isPending}
            onClick={() =>
              change.mutate(() => api.call('POST /v5/accounts/subaccounts/{subaccount_id}/enable', { path }))
            }
          >
            Enable
          </Button>
        )}
        <Button variant="subtle" color="red" onClick={close}>
          Close subaccount
        </Button>
      </Group>
    </section>
  );
}

/** What a parent account says of one of its subaccounts. */
export function SubaccountDialog({ account, onClose }: { account: Subaccount; onClose: () => void }) {
  const change = useChange();
  return (
    <Dialog onClose={onClose} title={account.name}>
      <Stack gap="md">
        {change.error && (
          <Alert color="red" title="Nothing was changed">
            {sentenceOf(change.error)}
          </Alert>
        )}
        <section aria-label="Monthly limit" className={classes.dialogPart}>
          <h3>Monthly limit</h3>
          <MessageLimit doors={limitOf(account.id)} canWrite />
        </section>
        <Features account={account} change={change} />
        <Status account={account} change={change} onClose={onClose} />
      </Stack>
    </Dialog>
  );
}
