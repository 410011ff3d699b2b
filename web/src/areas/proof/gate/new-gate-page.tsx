import { Alert, Button, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type FormEvent, type KeyboardEvent } from 'react';
import { api, clientsQuery, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { MergeDataInput } from '../../../shared/message/merge-data-input.tsx';
import { dataField } from '../../../shared/message/merge-data.ts';
import { CHECK_NAMES, CHECKS, type CheckName } from '../../../ground/checks.ts';
import { PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { CheckSwitches } from '../../../shared/message/check-switches.tsx';
import { chosenIds, DEFAULT_CHOICE, type Choice } from '../../../shared/clients/client-choice.ts';
import { isComplete, sourceOf, useDraft, type Draft } from '../../../shared/message/draft.ts';
import formClasses from '../../../shared/message/message.module.css';
import { SourceInput } from '../../../shared/message/source-input.tsx';
import { useFileDrop } from '../../../shared/message/use-file-drop.ts';
import type { WantedPolicy } from './gate-api.ts';
import { PolicyInput, usePolicy } from './policy-input.tsx';
import { ScreenshotsInput, type ScreenshotsWanted } from './screenshots-input.tsx';

const FIELDS = ['data', 'html', 'url', 'mime', 'subject', 'name', 'clients', 'baseline', 'checks', 'policy'] as const;
type Field = (typeof FIELDS)[number];

interface Wanted {
  draft: Draft;
  name: string;
  checks: CheckName[];
  screenshots: { baseline: string | null; clients: string[] | null } | null;
  /** Reads it. Throws where it is no JSON. */
  policy: () => WantedPolicy;
}

/** The name of the email in reports when no name was given. */
function nameOf({ kind, file, subject }: Draft): string {
  return kind === 'file' && file ? file.name : kind === 'url' ? '' : subject.trim();
}

function bodyOf({ draft, name, checks, screenshots, policy }: Wanted) {
  const called = name.trim() || nameOf(draft);
  return {
    ...sourceOf(draft),
    ...dataField(draft.mergeData),
    ...(!(draft.kind === 'file' && draft.file?.kind === 'mime') &&
      draft.subject.trim() && { subject: draft.subject.trim() }),
    ...(called && { name: called }),
    checks: [...checks.map((check) => CHECKS[check].gate), ...(screenshots ? (['screenshots'] as const) : [])],
    ...(screenshots?.baseline && { baseline: screenshots.baseline }),
    ...(screenshots?.clients && { clients: screenshots.clients }),
    policy: policy(),
  };
}

function useStart() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (wanted: Wanted) => (await api.call('POST /v1/inspect/gate', { body: bodyOf(wanted) })).items,
    onSuccess: async ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['gates'] });
      await navigate({ to: '/gate/$gateId', params: { gateId: id } });
    },
  });
}

/** Ctrl or ⌘ with Enter sends from within the text. */
function submitOnEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
}

/** The page that starts a gate. It keeps what was written, so that the next run needs only the changes. */
export function NewGatePage() {
  const { baseline: named = null, name: called = '' } = useSearch({ from: '/shell/gate/new' });
  const { draft, set, setSubject, setHtml, setFile } = useDraft('galley.gate-draft');
  const { data: clients = {} } = useQuery(clientsQuery);
  const [name, setName] = useState(called);
  const [checksOff, setChecksOff] = useLocalStorage<CheckName[]>({
    key: 'galley.gate-checks-off',
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const [choice, setChoice] = useLocalStorage<Choice>({
    key: 'galley.gate-clients',
    defaultValue: DEFAULT_CHOICE,
    getInitialValueInEffect: false,
  });
  const [pictured, setPictured] = useState<ScreenshotsWanted>({
    isWanted: named !== null,
    baseline: named,
    hasOwnClients: false,
  });
  const policy = usePolicy();
  const start = useStart();
  const { canWrite } = useRole();
  const isDragged = useFileDrop((file) => void setFile(file));
  const field = start.error ? fieldOf(start.error, FIELDS) : undefined;
  const errorOf = (one: Field): string | undefined => (field === one ? sentenceOf(start.error) : undefined);
  const checks = CHECK_NAMES.filter((check) => !checksOff.includes(check));
  const clientIds = chosenIds(clients, choice);
  const needsClients = pictured.isWanted && (pictured.baseline === null || pictured.hasOwnClients);
  const isReady =
    isComplete(draft) &&
    (checks.length > 0 || pictured.isWanted) &&
    !(needsClients && clientIds.length === 0) &&
    policy.fault === undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady)
      start.mutate({
        draft,
        name,
        checks,
        screenshots: pictured.isWanted
          ? { baseline: pictured.baseline, clients: needsClients ? clientIds : null }
          : null,
        policy: policy.read,
      });
  };
  return (
    <form onSubmit={submit} onKeyDown={submitOnEnter} noValidate>
      <PageHead title="New gate run" />
      {!canWrite && (
        <Alert mb="lg" title="This key is read only">
          Sign in with a developer or admin key to run the gate.
        </Alert>
      )}
      {start.error && field === undefined && (
        <Alert color="red" mb="lg" title="The gate was not started">
          {sentenceOf(start.error)}
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
          <div className={formClasses.fields}>
            <TextInput
              label="Email name"
              name="name"
              placeholder={nameOf(draft) || 'For example mails/spring.html'}
              value={name}
              error={errorOf('name')}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <TextInput
              label="Subject"
              name="subject"
              placeholder="Used if the message has no subject"
              value={draft.subject}
              error={errorOf('subject')}
              onChange={(event) => setSubject(event.currentTarget.value)}
            />
          </div>
        </section>
        <section className={formClasses.choice} aria-label="Checks">
          <CheckSwitches
            title="Check"
            wanted={checks}
            onChange={(wanted) => setChecksOff(CHECK_NAMES.filter((check) => !wanted.includes(check)))}
          />
          <ScreenshotsInput
            wanted={pictured}
            onChange={setPictured}
            clients={clients}
            choice={choice}
            onChoice={setChoice}
            error={errorOf('clients') ?? errorOf('baseline')}
          />
          <PolicyInput policy={policy} error={errorOf('policy')} hasPictures={pictured.isWanted} />
          <Button type="submit" size="md" fullWidth loading={start.isPending} disabled={!isReady || !canWrite}>
            Run the gate
          </Button>
        </section>
      </div>
      {isDragged && <div className={formClasses.fullDrop}>Drop it here</div>}
    </form>
  );
}
