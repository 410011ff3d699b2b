import { Alert, Button, Group, MultiSelect, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf, type Subaccount } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';

interface GiveDialogProps {
  ip: string;
  /** Those that may have it. */
  subaccounts: readonly Subaccount[];
  /** Those that have it. */
  given: readonly string[];
  onClose: () => void;
}

/** Takes back first: that is what can be refused. */
async function change(ip: string, { taken, added }: { taken: string[]; added: string[] }): Promise<void> {
  const put = (body: object) => api.call('PATCH /v3/ips/subaccounts', { body });
  if (taken.length > 0) await put({ subaccount_id: taken, unlink_ip: ip });
  if (added.length > 0) await put({ subaccount_id: added, link_ip: ip });
}

/** Which subaccounts send from an address, too. */
export function GiveDialog({ ip, subaccounts, given, onClose }: GiveDialogProps) {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<readonly string[]>(given);
  const save = useMutation({
    mutationFn: () =>
      change(ip, {
        taken: given.filter((id) => !chosen.includes(id)),
        added: chosen.filter((id) => !given.includes(id)),
      }),
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey: ['ips'] }),
  });
  const submit = (event: FormEvent): void => (event.preventDefault(), save.mutate());
  return (
    <Dialog onClose={onClose} title={`Subaccounts that send from ${ip}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {save.error && (
            <Alert color="red" title="The subaccounts were not saved">
              {sentenceOf(save.error)}
            </Alert>
          )}
          <MultiSelect
            label="Subaccounts"
            description="Their domains send from this address. Your account keeps sending from it, too."
            value={[...chosen]}
            data={subaccounts.map(({ id, name }) => ({ value: id, label: name }))}
            searchable
            onChange={(ids) => (setChosen(ids), save.reset())}
          />
          <Group gap="xs">
            <Button type="submit" loading={save.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
