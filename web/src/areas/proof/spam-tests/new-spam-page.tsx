import { Alert, Button, Collapse, Select, Switch, TextInput, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { ChevronDownIcon, ChevronRightIcon } from '../../../ground/brand/icons.tsx';
import { domainsQuery } from '../../../shared/mail/mail-api.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { htmlOf, MessageInput, mimeOf, useWritten, type Written } from '../../../shared/message/message-input.tsx';
import { MergeDataInput } from '../../../shared/message/merge-data-input.tsx';
import { dataField, readMergeData } from '../../../shared/message/merge-data.ts';
import { PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { Receivers } from './receivers-aside.tsx';

interface Fields {
  subject: string;
  from: string;
  fromName: string;
  ip: string;
  helo: string;
  reverseDns: string;
  mailFrom: string;
  region: '' | 'us1' | 'eu1';
  isLive: boolean;
  mergeData: string;
}

const EMPTY: Fields = {
  subject: '',
  from: '',
  fromName: '',
  ip: '',
  helo: '',
  reverseDns: '',
  mailFrom: '',
  region: '',
  isLive: false,
  mergeData: '',
};
const NAMES = [
  'html',
  'mime',
  'data',
  'subject',
  'from_name',
  'from',
  'envelope.ip',
  'envelope.helo',
  'envelope.reverse_dns',
  'envelope.mail_from',
  'region',
] as const;

function bodyOf(written: Written, fields: Fields) {
  const mime = mimeOf(written);
  const envelope = {
    ip: fields.ip.trim() || null,
    helo: fields.helo.trim() || null,
    reverse_dns: fields.reverseDns.trim() || null,
    mail_from: fields.mailFrom.trim() || null,
  };
  return {
    ...(mime === undefined
      ? { html: htmlOf(written) ?? '', subject: fields.subject.trim() }
      : { mime, transfer_encoding: 'base64' as const }),
    ...(mime === undefined && fields.from.trim() && { from: fields.from.trim() }),
    ...(mime === undefined && fields.fromName.trim() && { from_name: fields.fromName.trim() }),
    ...(Object.values(envelope).some(Boolean) && { envelope }),
    ...(fields.region && { region: fields.region }),
    ...dataField(fields.mergeData),
    live_unsubscribe: fields.isLive,
  };
}

function useStart() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async ({ written, fields }: { written: Written; fields: Fields }) =>
      (await api.call('POST /v1/inspect/spam', { body: bodyOf(written, fields) })).item,
    onSuccess: async ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['spam-tests'] });
      await navigate({ to: '/spam/$spamTestId', params: { spamTestId: id } });
    },
  });
}

interface PartProps {
  fields: Fields;
  set: (changes: Partial<Fields>) => void;
  errorOf: (field: (typeof NAMES)[number]) => string | undefined;
}

function Envelope({ fields, set, errorOf }: PartProps) {
  const [isOpen, open] = useDisclosure();
  return (
    <div>
      <UnstyledButton
        className={mailClasses.disclosure}
        aria-expanded={isOpen}
        aria-controls="envelope"
        onClick={open.toggle}
      >
        {isOpen ? <ChevronDownIcon /> : <ChevronRightIcon />} Simulate sender
      </UnstyledButton>
      <Collapse expanded={isOpen} id="envelope">
        <p className={mailClasses.aside}>
          Filters see this connection instead of the local one. Leave a field empty to keep its real value.
        </p>
        <div className={mailClasses.pair} style={{ marginTop: 12 }}>
          <TextInput
            label="IP address"
            name="ip"
            placeholder="198.51.100.7"
            value={fields.ip}
            error={errorOf('envelope.ip')}
            onChange={(event) => set({ ip: event.currentTarget.value })}
          />
          <TextInput
            label="HELO"
            name="helo"
            placeholder="mail.example.com"
            value={fields.helo}
            error={errorOf('envelope.helo')}
            onChange={(event) => set({ helo: event.currentTarget.value })}
          />
          <TextInput
            label="Reverse DNS"
            name="reverse_dns"
            placeholder="Looked up if empty"
            value={fields.reverseDns}
            error={errorOf('envelope.reverse_dns')}
            onChange={(event) => set({ reverseDns: event.currentTarget.value })}
          />
          <TextInput
            label="MAIL FROM"
            name="mail_from"
            placeholder="bounce@example.com"
            value={fields.mailFrom}
            error={errorOf('envelope.mail_from')}
            onChange={(event) => set({ mailFrom: event.currentTarget.value })}
          />
          <Select
            label="Region"
            data={[
              { value: 'us1', label: 'us1, United States' },
              { value: 'eu1', label: 'eu1, Europe' },
            ]}
            placeholder="This installation’s region"
            clearable
            value={fields.region || null}
            error={errorOf('region')}
            onChange={(region) => set({ region: (region ?? '') as Fields['region'] })}
          />
        </div>
      </Collapse>
    </div>
  );
}

function Sender({ fields, set, errorOf }: PartProps) {
  const { data: domains = [] } = useQuery(domainsQuery);
  const verified = domains.filter(({ state }) => state === 'active').map(({ name }) => name);
  return (
    <div className={mailClasses.pair}>
      <TextInput
        label="From"
        name="from"
        type="email"
        placeholder={verified[0] ? `news@${verified[0]}` : 'Test sender'}
        description="If empty, a fully authenticated test sender is used, so that filters judge only the content."
        value={fields.from}
        error={errorOf('from')}
        onChange={(event) => set({ from: event.currentTarget.value })}
      />
      <TextInput
        label="From name"
        name="from_name"
        placeholder="Optional"
        description="The sender name that readers see."
        value={fields.fromName}
        error={errorOf('from_name')}
        onChange={(event) => set({ fromName: event.currentTarget.value })}
      />
    </div>
  );
}

/** The form of a new spam test. */
export function NewSpamPage() {
  const [fields, setFields] = useState(EMPTY);
  const set = (changes: Partial<Fields>): void => setFields((before) => ({ ...before, ...changes }));
  const state = useWritten((subject) => set({ subject }));
  const start = useStart();
  const { canWrite } = useRole();
  const isMime = mimeOf(state.written) !== undefined;
  const field = start.error ? fieldOf(start.error, NAMES) : undefined;
  const errorOf = (name: (typeof NAMES)[number]): string | undefined =>
    field === name ? sentenceOf(start.error) : undefined;
  const isComplete =
    (isMime || Boolean(htmlOf(state.written)?.trim() && fields.subject.trim())) &&
    readMergeData(fields.mergeData).fault === undefined;
  const submit = (event: FormEvent): void => (event.preventDefault(), start.mutate({ written: state.written, fields }));
  return (
    <form onSubmit={submit} noValidate>
      <PageHead title="New spam test" />
      {!canWrite && (
        <Alert mb="lg" title="This key is read only">
          Sign in with a developer or admin key to create a test.
        </Alert>
      )}
      {start.error && field === undefined && (
        <Alert color="red" mb="lg" title="The test was not started">
          {sentenceOf(start.error)}
        </Alert>
      )}
      <div className={mailClasses.form}>
        <section className={mailClasses.stack} aria-label="Message">
          <MessageInput state={state} error={errorOf('html') ?? errorOf('mime')} />
          <MergeDataInput text={fields.mergeData} error={errorOf('data')} onText={(mergeData) => set({ mergeData })} />
          {isMime ? (
            <p className={mailClasses.aside}>
              Galley sends a whole message unchanged, with its own From, headers and signatures.
            </p>
          ) : (
            <>
              <TextInput
                label="Subject"
                name="subject"
                value={fields.subject}
                error={errorOf('subject')}
                onChange={(event) => set({ subject: event.currentTarget.value })}
              />
              <Sender fields={fields} set={set} errorOf={errorOf} />
            </>
          )}
        </section>
        <section className={mailClasses.stack} aria-label="Options">
          <Envelope fields={fields} set={set} errorOf={errorOf} />
          <Switch
            label="Test one-click unsubscribe with a real request"
            description={
              'Galley sends the POST request of RFC 8058 to the List-Unsubscribe address. This may unsubscribe the ' +
              'recipient of this message.'
            }
            checked={fields.isLive}
            onChange={(event) => set({ isLive: event.currentTarget.checked })}
          />
          <Button type="submit" size="md" fullWidth loading={start.isPending} disabled={!isComplete || !canWrite}>
            Start test
          </Button>
          <Receivers />
        </section>
      </div>
    </form>
  );
}
