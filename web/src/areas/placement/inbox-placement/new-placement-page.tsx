import { ActionIcon, Alert, Button, Select, TextInput, Tooltip } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { CloseIcon, PlusIcon } from '../../../ground/brand/icons.tsx';
import { domainsQuery, seedListsQuery } from '../../../shared/mail/mail-api.ts';
import { CountInput } from '../../../shared/mail/count-input.tsx';
import mailClasses from '../../../shared/mail/mail.module.css';
import { htmlOf, MessageInput, mimeOf, useWritten } from '../../../shared/message/message-input.tsx';
import { PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { ProviderChoice } from './provider-choice.tsx';
import classes from './pairs.module.css';
import { seedsOf } from './seed-lists-page.tsx';

type Pair = [name: string, value: string];

interface Fields {
  local: string;
  domain: string | null;
  subject: string;
  list: string;
  providers: string[] | null;
  seeds: number | '';
  deadline: number | '';
  variables: Pair[];
  headers: Pair[];
  ip: string;
}

const NEW_LIST = '';
const SEEDS_DEFAULT = 5;
const DEADLINE_DEFAULT = 30;
const NAMES = [
  'from',
  'subject',
  'html',
  'variables',
  'headers',
  'seed_list',
  'provider_filter',
  'sending_ip',
  'seeds_per_provider',
  'deadline_minutes',
] as const;

function recordOf(pairs: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(pairs.filter(([name]) => name.trim()).map(([name, value]) => [name.trim(), value]));
}

interface PairsProps {
  title: string;
  about: string;
  pairs: readonly Pair[];
  onChange: (pairs: Pair[]) => void;
  error: string | undefined;
}

/** Names with values, any number of them. */
function Pairs({ title, about, pairs, onChange, error }: PairsProps) {
  const change = (place: number, pair: Pair): void =>
    onChange(pairs.map((before, at) => (at === place ? pair : before)));
  const one = title.replace(/s$/, '').toLowerCase();
  return (
    <fieldset className={classes.pairs}>
      <legend>{title}</legend>
      <p className={mailClasses.aside}>{about}</p>
      {pairs.map(([name, value], place) => (
        <div key={place} className={classes.pair}>
          <TextInput
            size="xs"
            aria-label={`Name of ${one} ${place + 1}`}
            placeholder="name"
            value={name}
            onChange={(event) => change(place, [event.currentTarget.value, value])}
          />
          <TextInput
            size="xs"
            aria-label={`Value of ${one} ${place + 1}`}
            placeholder="value"
            value={value}
            onChange={(event) => change(place, [name, event.currentTarget.value])}
          />
          <Tooltip label="Remove">
            <ActionIcon
              size={28}
              aria-label={`Remove ${one} ${place + 1}`}
              onClick={() => onChange(pairs.filter((_, at) => at !== place))}
            >
              <CloseIcon />
            </ActionIcon>
          </Tooltip>
        </div>
      ))}
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<PlusIcon width={12} height={12} />}
        onClick={() => onChange([...pairs, ['', '']])}
      >
        Add a {one}
      </Button>
    </fieldset>
  );
}

function useStart() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ fields, html, from }: { fields: Fields; html: string; from: string }) => {
      const [variables, headers] = [recordOf(fields.variables), recordOf(fields.headers)];
      return api.call('POST /v4/inbox/tests', {
        body: {
          from,
          subject: fields.subject.trim(),
          html,
          ...(Object.keys(variables).length > 0 && { variables }),
          ...(Object.keys(headers).length > 0 && { headers }),
          ...(fields.list === NEW_LIST
            ? { seeds_per_provider: fields.seeds || SEEDS_DEFAULT }
            : { seed_list: fields.list }),
          ...(fields.providers && { provider_filter: fields.providers }),
          ...(fields.ip.trim() && { sending_ip: fields.ip.trim() }),
          deadline_minutes: fields.deadline || DEADLINE_DEFAULT,
        },
      });
    },
    onSuccess: async ({ result_id: resultId }) => {
      for (const queryKey of [['placement-results'], ['seed-lists']]) void queries.invalidateQueries({ queryKey });
      await navigate({ to: '/placement/$resultId', params: { resultId } });
    },
  });
}

interface PartProps {
  fields: Fields;
  set: (changes: Partial<Fields>) => void;
  errorOf: (name: (typeof NAMES)[number]) => string | undefined;
}

function From({ fields, set, errorOf, domains }: PartProps & { domains: string[] }) {
  return (
    <div className={classes.from}>
      <TextInput
        label="From"
        name="from"
        value={fields.local}
        error={errorOf('from')}
        onChange={(event) => set({ local: event.currentTarget.value.replace(/@.*$/, '') })}
        rightSection={<span aria-hidden="true">@</span>}
      />
      <Select
        label="Verified domain"
        allowDeselect={false}
        data={domains}
        value={fields.domain ?? domains[0] ?? null}
        onChange={(domain) => set({ domain })}
        nothingFoundMessage="None yet"
      />
    </div>
  );
}

function Seeds({ fields, set, errorOf }: PartProps) {
  const { data } = useQuery(seedListsQuery({ limit: 100 }));
  const lists = data?.items ?? [];
  return (
    <>
      <Select
        label="Seed list"
        allowDeselect={false}
        value={fields.list}
        error={errorOf('seed_list')}
        onChange={(list) => set({ list: list ?? NEW_LIST })}
        data={[
          { value: NEW_LIST, label: 'New list for this test only' },
          ...lists.map((list) => ({
            value: list.target_email,
            label: `${list.name || list.target_email} (${seedsOf(list).length})`,
          })),
        ]}
      />
      <div className={mailClasses.pair}>
        {fields.list === NEW_LIST && (
          <CountInput
            label="Seeds per provider"
            name="seeds"
            min={1}
            max={50}
            value={fields.seeds}
            error={errorOf('seeds_per_provider')}
            onChange={(seeds) => set({ seeds })}
          />
        )}
        <CountInput
          label="Mark missing after (minutes)"
          name="deadline"
          min={1}
          max={1440}
          value={fields.deadline}
          error={errorOf('deadline_minutes')}
          onChange={(deadline) => set({ deadline })}
        />
      </div>
      <ProviderChoice chosen={fields.providers} onChange={(providers) => set({ providers })} />
      {errorOf('provider_filter') && (
        <p className={classes.error} role="alert">
          {errorOf('provider_filter')}
        </p>
      )}
    </>
  );
}

/** The form of a new placement test. */
export function NewPlacementPage() {
  const { list } = useSearch({ from: '/shell/placement/new' });
  const domains = useQuery(domainsQuery);
  const verified = (domains.data ?? []).filter(({ state }) => state === 'active').map(({ name }) => name);
  const [fields, setFields] = useState<Fields>({
    local: 'news',
    domain: null,
    subject: '',
    list: list ?? NEW_LIST,
    providers: null,
    seeds: SEEDS_DEFAULT,
    deadline: DEADLINE_DEFAULT,
    variables: [],
    headers: [],
    ip: '',
  });
  const set = (changes: Partial<Fields>): void => setFields((before) => ({ ...before, ...changes }));
  const state = useWritten((subject) => set({ subject }));
  const start = useStart();
  const { canWrite } = useRole();
  const field = start.error ? fieldOf(start.error, NAMES) : undefined;
  const errorOf = (name: (typeof NAMES)[number]): string | undefined =>
    field === name ? sentenceOf(start.error) : undefined;
  const html = htmlOf(state.written) ?? '';
  const from = `${fields.local.trim()}@${fields.domain ?? verified[0] ?? ''}`;
  const isComplete =
    html.trim() !== '' &&
    fields.subject.trim() !== '' &&
    fields.local.trim() !== '' &&
    verified.length > 0 &&
    fields.providers?.length !== 0;
  const submit = (event: FormEvent): void => (event.preventDefault(), start.mutate({ fields, html, from }));
  const part = { fields, set, errorOf };
  return (
    <form onSubmit={submit} noValidate>
      <PageHead title="New placement test" />
      {!canWrite && (
        <Alert mb="lg" title="This key is read only">
          Sign in with a developer or admin key to create a test.
        </Alert>
      )}
      {domains.data && verified.length === 0 && (
        <Alert mb="lg" title="No verified domain">
          A placement test is sent from a domain that you own.{' '}
          <Link to="/domains" className={mailClasses.link}>
            Add and verify a domain
          </Link>{' '}
          first.
        </Alert>
      )}
      {start.error && field === undefined && (
        <Alert color="red" mb="lg" title="The test was not started">
          {sentenceOf(start.error)}
        </Alert>
      )}
      <div className={mailClasses.form}>
        <section className={mailClasses.stack} aria-label="Message">
          <MessageInput
            state={state}
            error={
              errorOf('html') ??
              (mimeOf(state.written) === undefined
                ? undefined
                : 'A placement test takes HTML and sends it from your domain. To send a whole message ' +
                  'unchanged, start a spam test.')
            }
          />
          <TextInput
            label="Subject"
            name="subject"
            value={fields.subject}
            error={errorOf('subject')}
            onChange={(event) => set({ subject: event.currentTarget.value })}
          />
          <From {...part} domains={verified} />
          <Pairs
            title="Variables"
            about={
              'These values replace {{name}} in the subject and the HTML. Galley fills %recipient.first_name% and ' +
              '%recipient.last_name% for each seed.'
            }
            pairs={fields.variables}
            onChange={(variables) => set({ variables })}
            error={errorOf('variables')}
          />
          <Pairs
            title="Headers"
            about="Add the headers that your mailings carry, such as List-Unsubscribe."
            pairs={fields.headers}
            onChange={(headers) => set({ headers })}
            error={errorOf('headers')}
          />
        </section>
        <section className={mailClasses.stack} aria-label="Where it goes">
          <Seeds {...part} />
          <TextInput
            label="Sending IP"
            name="sending_ip"
            placeholder="This machine’s address"
            description="Simulated receivers judge the message as if it came from this address."
            value={fields.ip}
            error={errorOf('sending_ip')}
            onChange={(event) => set({ ip: event.currentTarget.value })}
          />
          <Button type="submit" size="md" fullWidth loading={start.isPending} disabled={!isComplete || !canWrite}>
            Start test
          </Button>
        </section>
      </div>
    </form>
  );
}
