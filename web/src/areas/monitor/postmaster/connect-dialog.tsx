import { Alert, Button, FileInput, NumberInput, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { api, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { useDraft } from '../../../ground/shell/use-draft.ts';
import { connectionsQuery } from './postmaster-api.ts';
import classes from './postmaster.module.css';

const METHODS = [
  { value: 'google', label: 'Google' },
  { value: 'links', label: 'Microsoft by link' },
  { value: 'token', label: 'Microsoft by token' },
] as const;
type Method = (typeof METHODS)[number]['value'];

const TEXTS = {
  name: '',
  subject: '',
  data_url: '',
  status_url: '',
  refresh_token: '',
  base_url: '',
  token_url: '',
};
type Texts = typeof TEXTS;

/** Which texts a method sends. */
const FIELDS: Readonly<Record<Method, readonly (keyof Texts)[]>> = {
  google: ['name', 'subject', 'base_url', 'token_url'],
  links: ['name', 'data_url', 'status_url'],
  token: ['name', 'refresh_token', 'base_url', 'token_url'],
};

interface Draft {
  method: Method;
  texts: Texts;
  file: File | null;
  days: number;
}

async function connect({ method, texts, file, days }: Draft): Promise<void> {
  const given = FIELDS[method].flatMap((name) => (texts[name].trim() === '' ? [] : [[name, texts[name].trim()]]));
  const key = method === 'google' && file ? { service_account: await file.text() } : {};
  const provider = method === 'google' ? 'google' : 'snds';
  await api.call('POST /v1/galley/postmaster/connections', {
    body: { provider, days, ...(Object.fromEntries(given) as Partial<Texts>), ...key },
  });
}

interface PartProps {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
}

function Text({
  draft,
  change,
  name,
  ...shown
}: PartProps & { name: keyof Texts; label: string; description?: string; placeholder?: string }) {
  return (
    <TextInput
      {...shown}
      value={draft.texts[name]}
      maxLength={8000}
      autoComplete="off"
      onChange={(event) => change({ texts: { ...draft.texts, [name]: event.currentTarget.value } })}
    />
  );
}

function Access({ draft, change }: PartProps) {
  const props = { draft, change };
  if (draft.method === 'google')
    return (
      <>
        <FileInput
          label="Key of a service account"
          description={
            'The JSON file from Google Cloud, where the Gmail Postmaster Tools API is enabled. In Postmaster Tools, ' +
            'the address of the account must be let in to each domain.'
          }
          placeholder="Choose a file"
          accept=".json,application/json"
          value={draft.file}
          onChange={(file) => change({ file })}
        />
        <Text
          {...props}
          name="subject"
          label="Acts for (optional)"
          description="The person for whom the account acts, with domain-wide delegation."
        />
      </>
    );
  if (draft.method === 'links')
    return (
      <>
        <Text
          {...props}
          name="data_url"
          label="Link of the data"
          description="From “Automated Data Access” of SNDS. Links end after 30 days."
          placeholder="https://…/snds/data.aspx?key=…"
        />
        <Text {...props} name="status_url" label="Link of the IP status (optional)" />
      </>
    );
  return <Text {...props} name="refresh_token" label="Refresh token of the Microsoft account" />;
}

/** Connects a tool of a provider, which is read at once and then each day. */
export function ConnectDialog({ onClose }: { onClose: () => void }) {
  const { draft, change, saving, submit } = useDraft<Draft>({
    first: () => ({ method: 'google', texts: TEXTS, file: null, days: 30 }),
    save: connect,
    queryKey: connectionsQuery.queryKey,
    onClose,
  });
  return (
    <Dialog onClose={onClose} title="Connect a provider">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {saving.error && (
            <Alert color="red" title="It was not connected">
              {sentenceOf(saving.error)}
            </Alert>
          )}
          <SegmentedControl
            aria-label="Provider"
            orientation="vertical"
            value={draft.method}
            data={[...METHODS]}
            onChange={(method) => change({ method: method as Method })}
          />
          <Access draft={draft} change={change} />
          <Text draft={draft} change={change} name="name" label="Name (optional)" />
          <NumberInput
            label="Days back to read first"
            min={1}
            max={120}
            value={draft.days}
            onChange={(days) => change({ days: Number(days) })}
          />
          {draft.method !== 'links' && (
            <details className={classes.details}>
              <summary>Other addresses to ask</summary>
              <Stack gap="md" mt="sm">
                <Text draft={draft} change={change} name="base_url" label="Address of the service" />
                <Text draft={draft} change={change} name="token_url" label="Address of tokens" />
              </Stack>
            </details>
          )}
          <Button type="submit" loading={saving.isPending}>
            Connect
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}
