import { Alert, MultiSelect, Switch } from '@mantine/core';
import { useDebouncedValue, useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { clientsQuery, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { families } from '../../../shared/clients/client-choice.ts';
import { pictureOf, thumbnailOf, type ProofClient } from '../../../shared/proof/proof.ts';
import { filledQuery, writtenIn, type Texts } from './templates-api.ts';
import classes from './templates.module.css';
import { useLiveTest } from './use-live-test.ts';

const CLIENTS_MAX = 6;
const FIRST_CLIENTS = ['gmail_chrome', 'ol2021', 'outlookcom_chrome', 'applemail_26', 'iphone16_18', 'gmail_android'];
/** So long nothing is typed before the pictures follow. */
const PAUSE_MS = 900;
/** Words of the service about what is written beside it. */
const WRITTEN = ['template', 'mjml', 'headers', 'variables'] as const;

interface PreviewProps {
  name: string;
  texts: Texts;
  /** Undefined where the sample is no JSON. */
  variables: Record<string, unknown> | undefined;
  canPreview: boolean;
  /** Told why the texts cannot be filled; undefined: they can. */
  onFault: (error: unknown) => void;
}

function useFilled({ texts: { template, mjml, headers }, variables }: Pick<PreviewProps, 'texts' | 'variables'>) {
  const given = useMemo(
    () =>
      variables === undefined || (template.trim() === '' && mjml.trim() === '')
        ? undefined
        : {
            ...writtenIn({ template, mjml }),
            headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value.trim() !== '')),
            variables,
          },
    [template, mjml, headers, variables],
  );
  const [asked] = useDebouncedValue(given, PAUSE_MS);
  return useQuery(filledQuery(asked));
}

function Picture({ client }: { client: ProofClient }) {
  const whole = pictureOf(client, 'default');
  return (
    <figure className={classes.picture}>
      <figcaption>{client.name}</figcaption>
      {client.status === 'completed' && (
        <a href={whole} target="_blank" rel="noreferrer" aria-label={`Whole picture in ${client.name}`}>
          <img src={thumbnailOf(client)} alt={`The template in ${client.name}`} />
        </a>
      )}
      {client.status === 'processing' && <div className={classes.blank}>being made</div>}
      {client.status === 'bounced' && <div className={classes.blank}>No picture could be made.</div>}
    </figure>
  );
}

function ClientChoice({ chosen, onChange }: { chosen: readonly string[]; onChange: (ids: string[]) => void }) {
  const { data: clients = {} } = useQuery(clientsQuery);
  return (
    <MultiSelect
      label="Clients"
      description={`Up to ${CLIENTS_MAX}.`}
      searchable
      maxValues={CLIENTS_MAX}
      maxDropdownHeight={320}
      data={families(clients, '').map(({ name, members }) => ({
        group: name,
        items: members.map(({ id, display_name: label }) => ({ value: id, label })),
      }))}
      value={chosen.filter((id) => clients[id])}
      onChange={onChange}
    />
  );
}

/** What the texts become with the sample, in chosen clients; the pictures follow what is typed. */
export function LivePreview({ name, texts, variables, canPreview, onFault }: PreviewProps) {
  const [chosen, setChosen] = useLocalStorage({ key: 'galley.template-clients', defaultValue: FIRST_CLIENTS });
  const [isLive, setLive] = useLocalStorage({ key: 'galley.template-live', defaultValue: true });
  const filled = useFilled({ texts, variables });
  const { error } = filled;
  useEffect(() => onFault(error ?? undefined), [error, onFault]);
  const isWritten = error && fieldOf(error, WRITTEN) !== undefined;
  const subject = filled.data?.headers['Subject'] ?? '';
  const {
    pictures,
    isBehind,
    error: failed,
    testId,
  } = useLiveTest(
    canPreview && isLive && !error && filled.data && filled.data.html.trim() !== '' && chosen.length > 0
      ? { html: filled.data.html, subject, clients: chosen, name }
      : undefined,
  );
  return (
    <>
      {error && !isWritten && (
        <Alert color="red" title="The template could not be filled">
          {sentenceOf(error)}
        </Alert>
      )}
      {filled.data && !error && (
        <p className={classes.filled} role="status">
          <strong>Subject: {subject || 'none'}</strong>
          {filled.data.missing.length > 0 && <span>No value for {filled.data.missing.join(', ')}.</span>}
          {filled.data.warnings?.map((warning) => (
            <span key={warning}>{warning}</span>
          ))}
        </p>
      )}
      <Switch
        label="Live pictures"
        description="Whenever you pause, Galley makes a preview test of what is written. Each counts as one."
        checked={isLive}
        disabled={!canPreview}
        onChange={(event) => setLive(event.currentTarget.checked)}
      />
      {isLive && <ClientChoice chosen={chosen} onChange={setChosen} />}
      {failed && (
        <Alert color="red" title="The pictures could not be made">
          {sentenceOf(failed)}
        </Alert>
      )}
      {isLive && (
        <div className={classes.pictures} aria-busy={isBehind} data-behind={isBehind || undefined}>
          {pictures.map((client) => (
            <Picture key={client.id} client={client} />
          ))}
        </div>
      )}
      {isLive && testId !== undefined && !isBehind && (
        <p className={classes.note}>
          <Link to="/previews/$testId" params={{ testId }}>
            Open these pictures as a test
          </Link>
        </p>
      )}
    </>
  );
}
