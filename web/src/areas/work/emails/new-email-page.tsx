import { Alert, Button, TagsInput, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { isComplete, sourceOf, useDraft, type Draft } from '../../../shared/message/draft.ts';
import { MergeDataInput } from '../../../shared/message/merge-data-input.tsx';
import { dataField } from '../../../shared/message/merge-data.ts';
import formClasses from '../../../shared/message/message.module.css';
import { SourceInput } from '../../../shared/message/source-input.tsx';
import { useFileDrop } from '../../../shared/message/use-file-drop.ts';
import { emailQuery, labelsQuery } from './emails-api.ts';

const FIELDS = ['data', 'html', 'url', 'mime', 'subject', 'name', 'folder', 'tags', 'from'] as const;

interface Wanted {
  draft: Draft;
  sender: string;
  filed: { name: string; folder: string; tags: string[] };
}

const isWhole = ({ kind, file }: Draft): boolean => kind === 'file' && file?.kind === 'mime';

function contentOf({ draft, sender }: Wanted) {
  const besides = isWhole(draft)
    ? {}
    : {
        ...(draft.subject.trim() && { subject: draft.subject.trim() }),
        ...(sender.trim() && { from: sender.trim() }),
      };
  return { ...sourceOf(draft), ...dataField(draft.mergeData), ...besides };
}

/** Makes the email, or its next version. */
function useMake(emailId: string | undefined) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (wanted: Wanted): Promise<{ id: string; note: string }> => {
      const content = contentOf(wanted);
      if (emailId !== undefined) {
        const path = { email_id: emailId };
        const made = await api.call('POST /v1/emails/{email_id}/versions', { path, body: content });
        const note = made.is_new
          ? `Version ${made.number} is there.`
          : `Version ${made.number} says the same already; no new one was made.`;
        return { id: emailId, note };
      }
      const { name, folder, tags } = wanted.filed;
      const filed = { ...(name.trim() && { name: name.trim() }), folder, tags };
      const { id } = await api.call('POST /v1/emails', { body: { ...content, ...filed } });
      return { id, note: 'The email is there.' };
    },
    onSuccess: async ({ id, note }) => {
      await queries.invalidateQueries({ queryKey: ['emails'] });
      await queries.invalidateQueries({ queryKey: ['email', id] });
      announce(note);
      await navigate({ to: '/emails/$emailId', params: { emailId: id } });
    },
  });
}

/** A new email, or a new version of one: pasted, dropped, as a file or from a web address. */
export function NewEmailPage() {
  const { email: emailId } = useSearch({ from: '/shell/emails/new' });
  const { data: email } = useQuery({ ...emailQuery(emailId ?? ''), enabled: emailId !== undefined });
  const { data: labels } = useQuery(labelsQuery);
  const { canWrite } = useRole();
  const { draft, set, setSubject, setHtml, setFile } = useDraft('galley.email-draft');
  const [sender, setSender] = useState('');
  const [filed, setFiled] = useState({ name: '', folder: '', tags: [] as string[] });
  const make = useMake(emailId);
  const isDragged = useFileDrop((file) => void setFile(file));
  const field = make.error ? fieldOf(make.error, FIELDS) : undefined;
  const errorOf = (one: (typeof FIELDS)[number]) => (field === one ? sentenceOf(make.error) : undefined);
  const isReady = isComplete(draft) && canWrite;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) make.mutate({ draft, sender, filed });
  };
  return (
    <form onSubmit={submit} noValidate>
      <PageHead
        title={emailId === undefined ? 'New email' : 'New version'}
        lead={email && `Of ${email.name}, which has ${email.version} so far.`}
      />
      {!canWrite && (
        <Alert mb="lg" title="This key is read only">
          Sign in with a developer or admin key to add emails.
        </Alert>
      )}
      {make.error && field === undefined && (
        <Alert color="red" mb="lg" title="The email was not saved">
          {sentenceOf(make.error)}
        </Alert>
      )}
      <div className={formClasses.columns}>
        <section className={formClasses.message} aria-label="Message">
          <SourceInput
            draft={draft}
            kinds={['paste', 'file', 'url']}
            errors={{ html: errorOf('html'), url: errorOf('url'), mime: errorOf('mime') }}
            onKind={(kind) => set({ kind })}
            onHtml={setHtml}
            onUrl={(url) => set({ url })}
            onFile={(file) => void setFile(file)}
            onClearFile={() => set({ file: null, fileError: null })}
          />
          <MergeDataInput text={draft.mergeData} error={errorOf('data')} onText={(mergeData) => set({ mergeData })} />
        </section>
        <section className={formClasses.choice} aria-label="Details">
          {!isWhole(draft) && (
            <>
              <TextInput
                label="Subject"
                name="subject"
                value={draft.subject}
                error={errorOf('subject')}
                onChange={(event) => setSubject(event.currentTarget.value)}
              />
              <TextInput
                label="From"
                name="from"
                placeholder="News <news@example.com>"
                description="Who is to send it; may be left out."
                value={sender}
                error={errorOf('from')}
                onChange={(event) => setSender(event.currentTarget.value)}
              />
            </>
          )}
          {emailId === undefined && (
            <>
              <TextInput
                label="Name"
                name="name"
                placeholder={draft.subject || 'Its subject, title or file'}
                value={filed.name}
                error={errorOf('name')}
                onChange={(event) => setFiled({ ...filed, name: event.currentTarget.value })}
              />
              <TextInput
                label="Folder"
                name="folder"
                placeholder="Campaigns/Spring"
                value={filed.folder}
                error={errorOf('folder')}
                onChange={(event) => setFiled({ ...filed, folder: event.currentTarget.value })}
              />
              <TagsInput
                label="Tags"
                maxTags={20}
                data={labels?.tags.map(({ name }) => name) ?? []}
                value={filed.tags}
                error={errorOf('tags')}
                onChange={(tags) => setFiled({ ...filed, tags })}
              />
            </>
          )}
          <Button type="submit" size="md" fullWidth loading={make.isPending} disabled={!isReady}>
            {emailId === undefined ? 'Add the email' : 'Add the version'}
          </Button>
        </section>
      </div>
      {isDragged && <div className={formClasses.fullDrop}>Drop it here</div>}
    </form>
  );
}
