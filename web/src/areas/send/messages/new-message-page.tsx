import { Alert, Button, Select, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { tell } from '../../../ground/shell/ask.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { domainsQuery } from '../../../shared/mail/mail-api.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { htmlOf, MessageInput, mimeOf, useWritten, type Written } from '../../../shared/message/message-input.tsx';
import { ModeNote } from '../../../shared/send/mode-note.tsx';

interface Fields {
  domain: string;
  from: string;
  to: string;
  subject: string;
  tag: string;
  isTest: boolean;
}

const EMPTY: Fields = { domain: '', from: '', to: '', subject: '', tag: '', isTest: false };
const NAMES = ['from', 'to', 'subject', 'html', 'message', 'o:tag'] as const;

/** The form that the API takes; the sender of a whole message is its own. */
function formOf(written: Written, { from, to, subject, tag, isTest }: Fields): FormData {
  const form = new FormData();
  const mime = mimeOf(written);
  if (mime === undefined) {
    form.append('from', from.trim());
    form.append('subject', subject.trim());
    form.append('html', htmlOf(written) ?? '');
  } else {
    const whole = Uint8Array.from(atob(mime), (sign) => sign.charCodeAt(0));
    form.append('message', new Blob([whole], { type: 'message/rfc822' }), 'message.eml');
  }
  form.append('to', to.trim());
  if (tag.trim()) form.append('o:tag', tag.trim());
  if (isTest) form.append('o:testmode', 'yes');
  return form;
}

function useSend() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ written, fields, domain }: { written: Written; fields: Fields; domain: string }) => {
      const given = { path: { domain_name: domain }, body: formOf(written, fields) };
      return mimeOf(written) === undefined
        ? api.call('POST /v3/{domain_name}/messages', given)
        : api.call('POST /v3/{domain_name}/messages.mime', given);
    },
    onSuccess: async ({ id }) => {
      tell({ title: 'The message was queued', message: 'What becomes of it is listed here.' });
      void queries.invalidateQueries({ queryKey: ['queue'] });
      void queries.invalidateQueries({ queryKey: ['send-events'] });
      await navigate({ to: '/messages', search: { q: id.replace(/^<(.*)>$/, '$1'), by: 'message_id' } });
    },
  });
}

function NoDomain() {
  return (
    <Notice
      title="Add a sending domain first"
      action={<Button renderRoot={(props) => <Link to="/domains" {...props} />}>Sending domains</Button>}
    >
      Messages are sent as a domain of your account.
    </Notice>
  );
}

/** The form of a message to try sending with. */
export function NewMessagePage() {
  const { data: domains } = useQuery(domainsQuery);
  const [fields, setFields] = useState(EMPTY);
  const set = (changes: Partial<Fields>): void => setFields((before) => ({ ...before, ...changes }));
  const state = useWritten((subject) => set({ subject }));
  const send = useSend();
  const { canWrite } = useRole('messages');
  const isMime = mimeOf(state.written) !== undefined;
  const usable = (domains ?? [])
    .filter(({ state: own }) => own !== 'disabled')
    .toSorted((a, b) => Number(a.type === 'sandbox') - Number(b.type === 'sandbox'))
    .map(({ name }) => name);
  const domain = fields.domain || usable[0] || '';
  const field = send.error ? fieldOf(send.error, NAMES) : undefined;
  const errorOf = (name: (typeof NAMES)[number]): string | undefined =>
    field === name ? sentenceOf(send.error) : undefined;
  const isComplete =
    domain !== '' &&
    fields.to.trim() !== '' &&
    (isMime || Boolean(htmlOf(state.written)?.trim() && fields.subject.trim() && fields.from.trim()));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send.mutate({ written: state.written, fields, domain });
  };
  if (domains?.length === 0) return <NoDomain />;
  return (
    <form onSubmit={submit} noValidate>
      <PageHead title="Send a test message" lead={<ModeNote />} />
      {!canWrite && (
        <Alert mb="lg" title="This key is read only">
          Sign in with a developer or admin key to send messages.
        </Alert>
      )}
      {send.error && field === undefined && (
        <Alert color="red" mb="lg" title="The message was not sent">
          {sentenceOf(send.error)}
        </Alert>
      )}
      <div className={mailClasses.form}>
        <section className={mailClasses.stack} aria-label="Message">
          <MessageInput state={state} error={errorOf('html') ?? errorOf('message')} />
          {isMime && <p className={mailClasses.aside}>Galley sends a whole message with its own From and Subject.</p>}
          {!isMime && (
            <TextInput
              label="Subject"
              name="subject"
              value={fields.subject}
              error={errorOf('subject')}
              onChange={(event) => set({ subject: event.currentTarget.value })}
            />
          )}
        </section>
        <section className={mailClasses.stack} aria-label="Sender and recipients">
          <Select
            label="Sending domain"
            description="The messages of the API name it in their path."
            allowDeselect={false}
            searchable
            data={usable}
            value={domain || null}
            onChange={(value) => set({ domain: value ?? '' })}
          />
          {!isMime && (
            <TextInput
              label="From"
              name="from"
              placeholder={domain ? `Ann <ann@${domain}>` : undefined}
              value={fields.from}
              error={errorOf('from')}
              onChange={(event) => set({ from: event.currentTarget.value })}
            />
          )}
          <TextInput
            label="To"
            name="to"
            description="Addresses, joined by commas. All of them see each other."
            placeholder="bob@example.com"
            value={fields.to}
            error={errorOf('to')}
            onChange={(event) => set({ to: event.currentTarget.value })}
          />
          <TextInput
            label="Tag"
            name="tag"
            description="Optional. Finds the message in logs."
            value={fields.tag}
            error={errorOf('o:tag')}
            onChange={(event) => set({ tag: event.currentTarget.value })}
          />
          <Switch
            label="Test mode"
            description="Events are made, nothing is delivered."
            checked={fields.isTest}
            onChange={(event) => set({ isTest: event.currentTarget.checked })}
          />
          <Button type="submit" size="md" fullWidth loading={send.isPending} disabled={!isComplete || !canWrite}>
            Send
          </Button>
        </section>
      </div>
    </form>
  );
}
