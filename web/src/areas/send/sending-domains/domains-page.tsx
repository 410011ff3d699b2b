import { ActionIcon, Alert, Button, Select, Skeleton, Stack, TextInput, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { PlusIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { domainsQuery, type SendingDomain } from '../../../shared/mail/mail-api.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { When } from '../../../ground/shell/when.tsx';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import { DomainState } from './domain-state.tsx';
import { domainsExport } from './domains-csv.ts';
import { KeysZone } from './keys-zone.tsx';
import { useDeleteDomain } from './use-delete-domain.ts';

const KEYS = [
  { value: 'rsa-2048', label: 'RSA, 2048 bits: supported everywhere' },
  { value: 'rsa-1024', label: 'RSA, 1024 bits: for DNS providers that limit record length' },
  { value: 'ed25519', label: 'Ed25519: short and new; not every receiver supports it' },
] as const;
type KeyType = (typeof KEYS)[number]['value'];

function keyFields(key: KeyType) {
  return key === 'ed25519'
    ? { dkim_key_type: 'ed25519' as const }
    : { dkim_key_type: 'rsa' as const, dkim_key_size: key === 'rsa-1024' ? (1024 as const) : (2048 as const) };
}

/** Settings of sending that tests do not use, as the service has them by default. */
const OTHER_SETTINGS = {
  wildcard: false,
  spam_action: 'disabled',
  web_scheme: 'http',
  web_prefix: 'email',
  require_tls: false,
  skip_verification: false,
} as const;

const FIELDS = ['name', 'dkim_selector'] as const;

function NewDomainDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [selector, setSelector] = useState('');
  const [key, setKey] = useState<KeyType>('rsa-2048');
  const create = useMutation({
    mutationFn: () =>
      api.call('POST /v4/domains', {
        body: {
          ...OTHER_SETTINGS,
          name: name.trim(),
          ...keyFields(key),
          ...(selector.trim() && { dkim_selector: selector.trim() }),
        },
      }),
    onSuccess: async ({ domain }) => {
      void queries.invalidateQueries({ queryKey: ['domains'] });
      await navigate({ to: '/domains/$domain', params: { domain: domain.name } });
    },
  });
  const field = create.error ? fieldOf(create.error, FIELDS) : undefined;
  const submit = (event: FormEvent): void => (event.preventDefault(), create.mutate());
  return (
    <Dialog onClose={onClose} title="New sending domain">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {create.error && field === undefined && (
            <Alert color="red" title="The domain was not added">
              {sentenceOf(create.error)}
            </Alert>
          )}
          <TextInput
            label="Domain"
            name="name"
            placeholder="mail.example.com"
            description="The part after the @ of your From address."
            value={name}
            error={field === 'name' && sentenceOf(create.error)}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <Select
            label="DKIM key"
            allowDeselect={false}
            data={KEYS}
            value={key}
            onChange={(value) => value && setKey(value)}
          />
          <TextInput
            label="DKIM selector"
            name="selector"
            placeholder="Chosen by Galley"
            value={selector}
            error={field === 'dkim_selector' && sentenceOf(create.error)}
            onChange={(event) => setSelector(event.currentTarget.value)}
          />
          <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
            Add domain
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

function Row({ domain }: { domain: SendingDomain }) {
  const { canWrite } = useRole('domains');
  const askDelete = useDeleteDomain(domain.name);
  return (
    <li className={mailClasses.row}>
      <Link to="/domains/$domain" params={{ domain: domain.name }} className={mailClasses.open}>
        <span>
          <span className={mailClasses.subject}>{domain.name}</span>
          <span className={mailClasses.facts}>
            <span>
              {domain.type === 'sandbox' ? (
                'sandbox domain, created with your account'
              ) : (
                <>
                  added <When at={new Date(domain.created_at)} />
                </>
              )}
            </span>
          </span>
        </span>
        <span>
          <DomainState domain={domain} />
        </span>
      </Link>
      {canWrite && domain.type !== 'sandbox' && (
        <Tooltip label="Delete">
          <ActionIcon className={mailClasses.delete} aria-label={`Delete ${domain.name}`} onClick={askDelete}>
            <TrashIcon />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  );
}

/** Domains that tests are sent from. */
export function DomainsPage() {
  const domains = useQuery(domainsQuery);
  const { canWrite } = useRole('domains');
  const [isOpen, dialog] = useDisclosure();
  return (
    <>
      <PageHead
        title="Sending domains"
        lead="Galley sends placement tests from a verified domain and signs them with its DKIM key."
      >
        {domains.data && domains.data.length > 0 && (
          <CsvButtons of="sending domains" name="sending-domains" {...domainsExport} />
        )}
        {canWrite && (
          <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={dialog.open}>
            New domain
          </Button>
        )}
      </PageHead>
      {domains.error && (
        <Alert color="red" title="The domains could not be loaded">
          {sentenceOf(domains.error)}
        </Alert>
      )}
      {domains.isPending && <Skeleton height={110} />}
      {domains.data?.length === 0 && (
        <Notice title="No domains yet" action={canWrite && <Button onClick={dialog.open}>New domain</Button>}>
          Add the domain that you send from. Galley gives you the DNS records to publish and shows which of them are
          found.
        </Notice>
      )}
      {domains.data && domains.data.length > 0 && (
        <ul className={mailClasses.rows}>
          {domains.data.map((domain) => (
            <Row key={domain.id} domain={domain} />
          ))}
        </ul>
      )}
      {domains.data?.some((domain) => domain.use_automatic_sender_security) && <KeysZone />}
      {isOpen && <NewDomainDialog onClose={dialog.close} />}
    </>
  );
}
