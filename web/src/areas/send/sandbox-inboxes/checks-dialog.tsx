import { Alert, Button, Checkbox, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { domainsQuery } from '../../../shared/mail/mail-api.ts';
import { addressesIn } from './addresses.ts';
import type { Inbox } from './sandbox-api.ts';
import { rulesOf, TagRulesField, writtenRules } from './tag-rules-field.tsx';

type Name = Inbox['checks'][number];

const CHECKS: readonly { name: Name; label: string; about: string }[] = [
  { name: 'previews', label: 'Previews and checks', about: 'The default clients, and every content check.' },
  { name: 'spam', label: 'Spam test', about: 'Needs a From with an address.' },
  { name: 'gate', label: 'Gate', about: 'All checks as one report, judged by the default policy.' },
];

/** What an inbox does by itself with each message that comes. */
export function ChecksDialog({ inbox, onClose }: { inbox: Inbox; onClose: () => void }) {
  const queries = useQueryClient();
  const [names, setNames] = useState<string[]>(inbox.checks);
  const [perHour, setPerHour] = useState<number | string>(inbox.checks_per_hour);
  const [url, setUrl] = useState(inbox.webhook_url ?? '');
  const [rules, setRules] = useState(writtenRules(inbox.tag_rules));
  const { data: domains = [] } = useQuery(domainsQuery);
  const [to, setTo] = useState(inbox.forward?.to.join(', ') ?? '');
  const [domain, setDomain] = useState<string | null>(inbox.forward?.domain ?? null);
  const sender = domain ?? domains[0]?.name ?? '';
  const addresses = addressesIn(to);
  const chosen = CHECKS.map(({ name }) => name).filter((name) => names.includes(name));
  const save = useMutation({
    mutationFn: () =>
      api.call('PATCH /v1/sandbox/{inbox}', {
        path: { inbox: inbox.id },
        body: {
          checks: chosen,
          checks_per_hour: Number(perHour),
          webhook_url: url.trim() || null,
          forward: addresses.length === 0 ? null : { domain: sender, to: addresses },
          tag_rules: rulesOf(rules),
        },
      }),
    onSuccess: async () => {
      for (const key of ['sandbox', 'sandbox-inbox']) await queries.invalidateQueries({ queryKey: [key] });
      onClose();
    },
  });
  const field = save.error && fieldOf(save.error, ['webhook_url', 'forward.to', 'tag_rules']);
  const isOfUrl = field === 'webhook_url';
  const isOfForward = field === 'forward.to';
  const isOfRules = field === 'tag_rules';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // The service names rules by their places, so that rows without a rule go first.
    setRules(writtenRules(rulesOf(rules)));
    save.mutate();
  };
  return (
    <Dialog onClose={onClose} title={`When a message comes to ${inbox.name}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {save.error && !isOfUrl && !isOfForward && !isOfRules && (
            <Alert color="red" title="The settings were not saved">
              {sentenceOf(save.error)}
            </Alert>
          )}
          <p>What is chosen here starts by itself for each message that comes from now on.</p>
          <Checkbox.Group label="Checks" value={names} onChange={setNames}>
            <Stack gap={8} mt={8}>
              {CHECKS.map(({ name, label, about }) => (
                <Checkbox key={name} value={name} label={label} description={about} />
              ))}
            </Stack>
          </Checkbox.Group>
          <NumberInput
            label="Messages an hour"
            name="checks_per_hour"
            description="1 to 500. Further messages are kept, and say that they were not checked."
            min={1}
            max={500}
            allowDecimal={false}
            value={perHour}
            onChange={setPerHour}
          />
          <TextInput
            label="Webhook"
            name="webhook_url"
            description="Gets a signed POST for each message. What it does not take is tried five times."
            placeholder="https://shop.example.com/mail"
            value={url}
            error={isOfUrl && sentenceOf(save.error)}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <TextInput
            label="Forward to"
            name="forward_to"
            description="Up to 20 real addresses. Each gets every message that comes; nobody whom a message names does."
            placeholder="you@example.com, team@example.com"
            value={to}
            error={isOfForward && sentenceOf(save.error)}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          {addresses.length > 0 && (
            <Select
              label="Forwarded by the domain"
              allowDeselect={false}
              value={sender}
              data={domains.map(({ name }) => name)}
              onChange={setDomain}
            />
          )}
          <TagRulesField rules={rules} error={isOfRules ? sentenceOf(save.error) : undefined} onChange={setRules} />
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}
