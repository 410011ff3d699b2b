import { Alert, Button, Select, TextInput } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf, sessionQuery } from '../../../ground/api.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { PageLink } from '../../../shared/proof/page-link.tsx';
import { pictureOf, useProof, type ProofClient } from '../../../shared/proof/proof.ts';
import classes from './captures.module.css';
import { SCALES } from './chosen-picture.ts';
import { ScreenshotBox } from './screenshot-box.tsx';
import { useChosenPicture } from './use-chosen-picture.ts';

const TEXTS = [
  { name: 'client_version', label: 'Client version', about: 'As the client says it.', placeholder: '16.0.17932' },
  { name: 'os', label: 'System', about: 'Operating system and its version.', placeholder: 'Windows 11 24H2' },
] as const;
const FIELDS = ['client', 'client_version', 'os', 'captured_by', 'captured_at', 'scale', 'picture'] as const;
type Field = (typeof FIELDS)[number];

interface Stated {
  client_version: string;
  os: string;
  captured_by: string;
  /** In the reader's time; empty for now. */
  captured_at: string;
}

const EMPTY: Stated = { client_version: '', os: '', captured_by: '', captured_at: '' };

/** What must be given, and is not yet. */
function lackingOf(stated: Stated, hasPicture: boolean): Partial<Record<Field, string>> {
  return {
    ...(stated.client_version.trim() === '' && { client_version: 'Say which version of the client it is.' }),
    ...(stated.os.trim() === '' && { os: 'Say which system the client ran on.' }),
    ...(!hasPicture && { picture: 'Paste, drop or choose a screenshot.' }),
  };
}

interface Upload {
  testId: string;
  clientId: string;
  stated: Stated;
  scale: number;
  picture: File;
}

function send({ testId, clientId, stated, scale, picture }: Upload) {
  const body = new FormData();
  body.set('test_id', testId);
  body.set('client', clientId);
  body.set('client_version', stated.client_version.trim());
  body.set('os', stated.os.trim());
  if (stated.captured_by.trim() !== '') body.set('captured_by', stated.captured_by.trim());
  if (stated.captured_at !== '') body.set('captured_at', new Date(stated.captured_at).toISOString());
  body.set('scale', String(scale));
  body.set('picture', picture);
  return api.call('POST /v2/preview/captures', { body });
}

/** The emulated picture, which the screenshot is held against. */
function Preview({ client }: { client: ProofClient }) {
  const source = pictureOf(client, 'default');
  const size = client.result.pictures['default'];
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <strong>The preview</strong>
        <span>
          {client.result.fidelity}
          {size && `, ${size.width} × ${size.height} px`}
        </span>
      </figcaption>
      <div className={`${classes.sheet} ${classes.tall}`} tabIndex={0} role="region" aria-label="The preview">
        {client.status === 'completed' && source ? (
          <img src={source} alt={`The preview of the message in ${client.name}`} />
        ) : (
          <p className={classes.drop}>
            {client.status === 'bounced' ? 'This client bounced: it has no preview.' : 'The preview is in progress.'}
          </p>
        )}
      </div>
    </figure>
  );
}

function Form({ client, onClient }: { client: ProofClient; onClient: (id: string) => void }) {
  const { testId } = useParams({ from: '/shell/previews/$testId/captures/new' });
  const { clients } = useProof();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [stated, setStated] = useState(EMPTY);
  const [lacking, setLacking] = useState<Partial<Record<Field, string>>>({});
  const chosen = useChosenPicture(client.result.pictures['default']?.width);
  const upload = useMutation({
    mutationFn: send,
    onSuccess: ({ id }) => {
      announce('The capture is uploaded. The operator decides whether it counts.');
      void queries.invalidateQueries({ queryKey: ['captures'] });
      void navigate({
        to: `/previews/${testId}/client/${client.id}/evidence` as '/',
        search: { capture: id } as never,
      });
    },
  });
  const refused = upload.error ? fieldOf(upload.error, FIELDS) : undefined;
  const errorOf = (name: Field): string | undefined =>
    (name === 'picture' && chosen.picture ? undefined : lacking[name]) ??
    (refused === name ? sentenceOf(upload.error) : undefined);
  const state = (name: keyof Stated, value: string): void => {
    setStated((before) => ({ ...before, [name]: value }));
    setLacking(({ [name]: _mended, ...rest }) => rest);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const missing = lackingOf(stated, chosen.picture !== undefined);
    setLacking(missing);
    const { picture, scale } = chosen;
    if (Object.keys(missing).length > 0 || !picture) return;
    upload.mutate({ testId, clientId: client.id, stated, scale, picture: picture.file });
  };
  return (
    <form onSubmit={submit} noValidate>
      {upload.error && refused === undefined && (
        <Alert color="red" mb="md" title="The capture was not uploaded">
          {sentenceOf(upload.error)}
        </Alert>
      )}
      <div className={classes.form}>
        <Select
          label="Client"
          description="One of this test."
          allowDeselect={false}
          searchable
          value={client.id}
          data={clients.map(({ id, name }) => ({ value: id, label: name }))}
          error={errorOf('client')}
          onChange={(id) => id && onClient(id)}
        />
        {TEXTS.map(({ name, label, about, placeholder }) => (
          <TextInput
            key={name}
            name={name}
            label={label}
            description={about}
            placeholder={placeholder}
            maxLength={200}
            value={stated[name]}
            error={errorOf(name)}
            onChange={(event) => state(name, event.currentTarget.value)}
          />
        ))}
        <TextInput
          name="captured_by"
          label="Who"
          description="Who ran the client."
          placeholder={session.user?.name || 'you'}
          maxLength={200}
          value={stated.captured_by}
          error={errorOf('captured_by')}
          onChange={(event) => state('captured_by', event.currentTarget.value)}
        />
        <TextInput
          name="captured_at"
          type="datetime-local"
          label="When"
          description="When it is not now."
          value={stated.captured_at}
          error={errorOf('captured_at')}
          onChange={(event) => state('captured_at', event.currentTarget.value)}
        />
        <Select
          label="Scale"
          description="Pixels of the screenshot to a CSS pixel."
          allowDeselect={false}
          value={String(chosen.scale)}
          data={SCALES.map(String)}
          error={errorOf('scale')}
          onChange={(value) => value && chosen.setScale(Number(value))}
        />
      </div>
      <div className={classes.columns}>
        <Preview client={client} />
        <ScreenshotBox chosen={chosen} error={chosen.error ?? errorOf('picture')} />
      </div>
      <div className={classes.end}>
        <Button type="submit" loading={upload.isPending}>
          Upload the capture
        </Button>
        <span className="dim">
          Cut to the message: menus and lists of the window count as parts that the preview lacks.
        </span>
      </div>
    </form>
  );
}

/** “My client shows this”: a screenshot of the real client beside the preview. */
export function UploadPage() {
  const { client: wanted } = useSearch({ from: '/shell/previews/$testId/captures/new' });
  const { clients, base, title } = useProof();
  const { canWrite } = useRole();
  const [chosen, setChosen] = useState(wanted);
  const client = clients.find(({ id }) => id === chosen) ?? clients[0];
  if (!client) return <Notice isPage title="This test has no clients" />;
  if (!canWrite)
    return (
      <Notice isPage title="You may not upload captures">
        You signed in with a key that may only read.
      </Notice>
    );
  return (
    <>
      <PageHead
        title="My client shows this"
        tabTitle={`My client shows this · ${title}`}
        lead={
          <>
            A screenshot of “{title}” in the real client, held against <PageLink path={base}>the previews</PageLink>. It
            changes none of them.
          </>
        }
      />
      <Form client={client} onClient={setChosen} />
    </>
  );
}
