import { Alert, Button, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { tell } from '../../../ground/shell/ask.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { domainsQuery } from '../../../shared/mail/mail-api.ts';
import { ModeNote } from '../../../shared/send/mode-note.tsx';
import type { Place } from './templates-api.ts';

interface SendProps {
  place: Place;
  tag: string;
  variables: Record<string, unknown>;
  onClose: () => void;
}

interface Fields {
  domain: string;
  from: string;
  to: string;
  isTest: boolean;
}

function formOf({ place, tag, variables }: SendProps, { from, to, isTest }: Fields): FormData {
  const form = new FormData();
  form.append('template', place.name);
  form.append('t:version', tag);
  form.append('t:variables', JSON.stringify(variables));
  if (from.trim()) form.append('from', from.trim());
  form.append('to', to.trim());
  if (isTest) form.append('o:testmode', 'yes');
  return form;
}

/** Sends the saved version, filled with the sample, as any message is sent. */
export function SendDialog(props: SendProps) {
  const { place, tag, onClose } = props;
  const queries = useQueryClient();
  const { data: domains = [] } = useQuery(domainsQuery);
  const [fields, setFields] = useState<Fields>({ domain: place.domain ?? '', from: '', to: '', isTest: false });
  const set = (changes: Partial<Fields>): void => setFields((before) => ({ ...before, ...changes }));
  const usable = domains
    .filter(({ state }) => state !== 'disabled')
    .toSorted((a, b) => Number(a.type === 'sandbox') - Number(b.type === 'sandbox'))
    .map(({ name }) => name);
  const domain = fields.domain || (usable[0] ?? '');
  const send = useMutation({
    mutationFn: () =>
      api.call('POST /v3/{domain_name}/messages', { path: { domain_name: domain }, body: formOf(props, fields) }),
    onSuccess: () => {
      tell({ message: 'The message was queued. The page Messages shows what becomes of it.' });
      void queries.invalidateQueries({ queryKey: ['queue'] });
      void queries.invalidateQueries({ queryKey: ['send-events'] });
      onClose();
    },
  });
  const field = send.error ? fieldOf(send.error, ['from', 'to']) : undefined;
  const submit = (event: FormEvent): void => (event.preventDefault(), send.mutate());
  return (
    <Dialog onClose={onClose} title={`Send ${tag} as a test`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <ModeNote />
          {send.error && field === undefined && (
            <Alert color="red" title="The message was not sent">
              {sentenceOf(send.error)}
            </Alert>
          )}
          <TextInput
            label="To"
            name="to"
            placeholder="you@example.com"
            value={fields.to}
            error={field === 'to' && sentenceOf(send.error)}
            onChange={(event) => set({ to: event.currentTarget.value })}
            data-autofocus
          />
          <TextInput
            label="From"
            name="from"
            description="Empty: as the version says."
            placeholder={domain && `Ann <ann@${domain}>`}
            value={fields.from}
            error={field === 'from' && sentenceOf(send.error)}
            onChange={(event) => set({ from: event.currentTarget.value })}
          />
          <Select
            label="Sent by the domain"
            allowDeselect={false}
            disabled={place.domain !== undefined}
            value={domain}
            data={usable}
            onChange={(next) => set({ domain: next ?? '' })}
          />
          <Switch
            label="Test mode"
            description="Events are made, nothing is delivered."
            checked={fields.isTest}
            onChange={(event) => set({ isTest: event.currentTarget.checked })}
          />
          <Button type="submit" loading={send.isPending} disabled={fields.to.trim() === '' || domain === ''}>
            Send
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}
