import { Alert, Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import classes from '../../../shared/send/send.module.css';
import { KINDS, saveWebhook, type Kind, type Webhook } from './webhooks-api.ts';

interface WebhookDialogProps {
  /** Null: of the account. */
  domain: string | null;
  /** What is changed; undefined for a new one. */
  webhook: Webhook | undefined;
  onClose: () => void;
}

/** A URL with the kinds of events that are sent there. */
export function WebhookDialog({ domain, webhook, onClose }: WebhookDialogProps) {
  const queries = useQueryClient();
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [kinds, setKinds] = useState<string[]>(webhook?.kinds ?? []);
  const chosen = KINDS.map(({ kind }) => kind).filter((kind) => kinds.includes(kind));
  const save = useMutation({
    mutationFn: () => saveWebhook(domain, { url: url.trim(), kinds: chosen }, webhook),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['webhooks'] });
      await queries.invalidateQueries({ queryKey: ['webhook-urls'] });
      onClose();
    },
  });
  const [first = 'delivered'] = chosen;
  const test = useMutation({
    mutationFn: () =>
      api.call('POST /v1/galley/webhooks/test', { body: { url: url.trim(), event_type: first satisfies Kind } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhook-deliveries'] }),
  });
  const error = save.error ?? test.error;
  const isOfUrl = error !== null && fieldOf(error, ['url']) === 'url';
  const isTaken = test.data !== undefined && test.data.code >= 200 && test.data.code < 300;
  const submit = (event: FormEvent): void => (event.preventDefault(), save.mutate());
  return (
    <Dialog onClose={onClose} title={webhook ? 'Edit webhook' : 'New webhook'}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {error && !isOfUrl && (
            <Alert color="red" title={save.error ? 'The webhook was not saved' : 'The test was not sent'}>
              {sentenceOf(error)}
            </Alert>
          )}
          <TextInput
            label="URL"
            name="url"
            placeholder="https://shop.example.com/events"
            description="Galley posts each event here as signed JSON."
            value={url}
            readOnly={webhook !== undefined && domain !== null}
            error={isOfUrl && sentenceOf(error)}
            onChange={(event) => (setUrl(event.currentTarget.value), save.reset(), test.reset())}
            data-autofocus
          />
          <Checkbox.Group label="Events" value={kinds} onChange={setKinds}>
            <Stack gap={8} mt={8}>
              {KINDS.map(({ kind, label }) => (
                <Checkbox key={kind} value={kind} label={label} />
              ))}
            </Stack>
          </Checkbox.Group>
          {test.data && !isTaken && (
            <Alert color="red" title="The test event was not taken">
              {test.data.message} {test.data.took_ms} ms.
            </Alert>
          )}
          {isTaken && (
            <p className={classes.stepAbout} role="status">
              The URL answered the test event with {test.data?.code} after {test.data?.took_ms} ms.
            </p>
          )}
          <Group gap="xs">
            <Button type="submit" loading={save.isPending} disabled={url.trim() === '' || chosen.length === 0}>
              Save
            </Button>
            <Button
              variant="default"
              loading={test.isPending}
              disabled={url.trim() === ''}
              onClick={() => test.mutate()}
            >
              Send test event
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
