import { Alert, Button, Select, Switch, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent, type KeyboardEvent } from 'react';
import { clientsQuery, fieldOf, sentenceOf } from '../../../../ground/api.ts';
import { MergeDataInput } from '../../../../shared/message/merge-data-input.tsx';
import { CHECK_NAMES, type CheckName } from '../../../../ground/checks.ts';
import { PageHead } from '../../../../ground/shell/page.tsx';
import { useRole } from '../../../../ground/shell/role.ts';
import { tell } from '../../../../ground/shell/ask.ts';
import { count } from '../../../../ground/words.ts';
import { chosenIds, DEFAULT_CHOICE, type Choice } from '../../../../shared/clients/client-choice.ts';
import { CheckSwitches } from '../../../../shared/message/check-switches.tsx';
import { ClientPicker } from '../../../../shared/clients/client-picker.tsx';
import { forgetDraft, isComplete, useCreateTest, useDraft, type Wanted } from '../../../../shared/message/draft.ts';
import classes from '../../../../shared/message/message.module.css';
import { useFileDrop } from '../../../../shared/message/use-file-drop.ts';
import { SourceInput } from '../../../../shared/message/source-input.tsx';

const FIELDS = ['data', 'html', 'url', 'mime', 'subject', 'clients', 'pane_width', 'reference_id'] as const;

/** The service's error, next to the field that it is about. */
function errorsOf(error: unknown): {
  beside: Partial<Record<(typeof FIELDS)[number], string>>;
  other: string | undefined;
} {
  if (!error) return { beside: {}, other: undefined };
  const field = fieldOf(error, FIELDS);
  return field
    ? { beside: { [field]: sentenceOf(error) }, other: undefined }
    : { beside: {}, other: sentenceOf(error) };
}

/** Ctrl or ⌘ with Enter sends from within the text. */
function submitOnEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
}

function useSubmit() {
  const create = useCreateTest();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const submit = async (wanted: Wanted): Promise<void> => {
    const made = await create.mutateAsync(wanted).catch(() => undefined);
    if (!made) return;
    for (const warning of made.warnings)
      tell({ color: 'yellow', title: 'The test was created, but', message: warning.message });
    void queries.invalidateQueries({ queryKey: ['tests'] });
    await navigate({ to: '/previews/$testId', params: { testId: made.id } });
    forgetDraft();
  };
  return { submit, isPending: create.isPending, error: create.error };
}

/** CSS pixels: beside a list of messages, and the whole window. */
const PANES = [480, 600, 720, 960, 1200, 1440];

/** The page that starts a preview test. */
export function NewPreviewPage() {
  const { draft, set, setSubject, setHtml, setFile } = useDraft();
  const { data: clients = {} } = useQuery(clientsQuery);
  const [choice, setChoice] = useLocalStorage<Choice>({
    key: 'galley.clients',
    defaultValue: DEFAULT_CHOICE,
    getInitialValueInEffect: false,
  });
  const [imageBlocking, setImageBlocking] = useLocalStorage({
    key: 'galley.images-off',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const [paneWidth, setPaneWidth] = useState<string | null>(null);
  const [checksOff, setChecksOff] = useLocalStorage<CheckName[]>({
    key: 'galley.checks-off',
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const checks = CHECK_NAMES.filter((name) => !checksOff.includes(name));
  const { submit, isPending, error } = useSubmit();
  const isDragged = useFileDrop((file) => void setFile(file));
  const { canWrite } = useRole();
  const { beside, other } = errorsOf(error);
  const clientIds = chosenIds(clients, choice);
  const onSubmit = (event: FormEvent): void => (
    event.preventDefault(),
    void submit({ draft, clientIds, imageBlocking, paneWidth: paneWidth === null ? null : Number(paneWidth), checks })
  );
  return (
    <form onSubmit={onSubmit} onKeyDown={submitOnEnter} noValidate>
      <PageHead title="New test" />
      {!canWrite && (
        <Alert mb="lg" title="This key is read only">
          Sign in with a developer or admin key to create a test.
        </Alert>
      )}
      {other && (
        <Alert color="red" mb="lg" title="The test was not created">
          {other}
        </Alert>
      )}
      <div className={classes.columns}>
        <section className={classes.message} aria-label="Message">
          <SourceInput
            draft={draft}
            errors={{ html: beside.html, url: beside.url, mime: beside.mime }}
            onKind={(kind) => set({ kind })}
            onHtml={setHtml}
            onUrl={(url) => set({ url })}
            onFile={(file) => void setFile(file)}
            onClearFile={() => set({ file: null, fileError: null })}
          />
          {draft.kind !== 'mail' && (
            <MergeDataInput text={draft.mergeData} error={beside.data} onText={(mergeData) => set({ mergeData })} />
          )}
          {draft.kind !== 'mail' && (
            <div className={classes.fields}>
              <TextInput
                label="Subject"
                name="subject"
                placeholder="Taken from the message if empty"
                value={draft.subject}
                error={beside.subject}
                onChange={(event) => setSubject(event.currentTarget.value)}
              />
              <TextInput
                label="Reference ID"
                name="reference_id"
                placeholder="Optional, to find the test again"
                value={draft.referenceId}
                error={beside.reference_id}
                onChange={(event) => set({ referenceId: event.currentTarget.value })}
              />
            </div>
          )}
        </section>
        {draft.kind !== 'mail' && (
          <section className={classes.choice} aria-label="Clients and options">
            <ClientPicker clients={clients} choice={choice} onChange={setChoice} error={beside.clients} />
            <Switch
              label="Also show each client with images off"
              checked={imageBlocking}
              onChange={(event) => setImageBlocking(event.currentTarget.checked)}
            />
            <Select
              label="Reading pane of programs and webmail"
              placeholder="As each client has it (800 px)"
              data={PANES.map((width) => ({ value: String(width), label: `${width} px wide` }))}
              value={paneWidth}
              onChange={setPaneWidth}
              error={beside.pane_width}
              clearable
            />
            <CheckSwitches
              wanted={checks}
              onChange={(wanted) => setChecksOff(CHECK_NAMES.filter((name) => !wanted.includes(name)))}
            />
            <Button
              type="submit"
              size="md"
              fullWidth
              loading={isPending}
              disabled={!isComplete(draft) || clientIds.length === 0 || !canWrite}
            >
              {clientIds.length ? `Preview in ${count(clientIds.length, 'client')}` : 'Select a client'}
            </Button>
          </section>
        )}
      </div>
      {isDragged && <div className={classes.fullDrop}>Drop it here</div>}
    </form>
  );
}
