// What happens to mail of a domain beside its delivery: where bounces come back to, copies for an archive, spam that
// comes in, and how what comes in is kept.
import { Alert, Button, NativeSelect, Skeleton, Switch, TextInput } from '@mantine/core';
import { queryOptions, useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { useRole } from '../../../ground/shell/role.ts';
import { count, nameBySubject } from '../../../ground/words.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { domainQuery, type SendingDomain } from '../../../shared/mail/mail-api.ts';
import { archiveTold } from '../../../shared/send/archive-words.ts';
import classes from './credentials.module.css';

const SPAM: Record<SendingDomain['spam_action'], { label: string; about: string }> = {
  disabled: { label: 'Take it like other mail', about: 'No filter looks at mail that comes in.' },
  tag: { label: 'Mark it', about: 'All mail that comes in says in its header whether it is spam, and its score.' },
  block: { label: 'Refuse it', about: 'Spam is refused while it is delivered.' },
};

interface SavedSettings extends Pick<SendingDomain, 'spam_action' | 'encrypt_incoming_message'> {
  archive_to: string;
  mailfrom_host?: string;
}

function useSave(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: SavedSettings) => api.call('PUT /v4/domains/{name}', { path: { name }, body }),
    onSuccess: () => {
      announce('The settings are saved.');
      void queries.invalidateQueries({ queryKey: domainQuery(name).queryKey });
    },
  });
}

const SHOWN = 5;

/** States of a copy that is not tried again. */
const NOT_TAKEN = ['failed', 'rejected'] as const;

const copiesQuery = (domain: string, state: (typeof NOT_TAKEN)[number]) =>
  queryOptions({
    queryKey: ['archive-copies', domain, state],
    queryFn: ({ signal }) =>
      api.call('GET /v1/galley/archive_copies', { query: { domain, state, limit: SHOWN, skip: 0 } }, { signal }),
  });

/** Copies that the archive never took, the newest ones by name. */
function FailedCopies({ domain }: { domain: string }) {
  const replies = useQueries({ queries: NOT_TAKEN.map((state) => copiesQuery(domain, state)) });
  const all = replies.reduce((sum, { data }) => sum + (data?.total_count ?? 0), 0);
  if (all === 0) return null;
  const newest = replies
    .flatMap(({ data }) => data?.items ?? [])
    .toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at))
    .slice(0, SHOWN);
  return (
    <div className={classes.below}>
      <p className={classes.about}>
        The archive did not take {count(all, 'copy', 'copies')}. A message’s page tries again.
      </p>
      <ul className={classes.list} aria-label="Copies that were not taken">
        {newest.map(({ id, storage_key: storageKey, subject, ...copy }) => (
          <li key={id}>
            <span>
              <Link to="/messages/$domain/$storageKey" params={{ domain, storageKey }} className={mailClasses.link}>
                <bdi>{nameBySubject(subject).slice(0, 120)}</bdi>
              </Link>
              <p className={classes.about}>{archiveTold(copy)}</p>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Form({ domain }: { domain: SendingDomain }) {
  const { canWrite } = useRole('domains');
  const save = useSave(domain.name);
  const [archive, setArchive] = useState(domain.archive_to ?? '');
  const [spam, setSpam] = useState(domain.spam_action);
  const [returnHost, setReturnHost] = useState(domain.mailfrom_host ?? '');
  const [isEncrypted, setEncrypted] = useState(domain.encrypt_incoming_message);
  const hasRecords = domain.type !== 'sandbox';
  const field = save.error ? fieldOf(save.error, ['archive_to', 'mailfrom_host']) : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate({
      archive_to: archive.trim(),
      spam_action: spam,
      encrypt_incoming_message: isEncrypted,
      ...(hasRecords && { mailfrom_host: returnHost.trim() }),
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      {save.error && field === undefined && (
        <Alert color="red" mb="sm" title="Nothing was changed">
          {sentenceOf(save.error)}
        </Alert>
      )}
      <TextInput
        label="Archive URL"
        name="archive_to"
        type="url"
        autoComplete="off"
        placeholder="https://archive.example.com/mail"
        description="Each message that is accepted from the domain is posted there once, whole, with its recipients. Empty: nowhere."
        value={archive}
        maxLength={2000}
        disabled={!canWrite}
        error={field === 'archive_to' && save.error && sentenceOf(save.error)}
        maw={640}
        mb="md"
        onChange={(event) => {
          setArchive(event.currentTarget.value);
          save.reset();
        }}
      />
      {hasRecords && (
        <TextInput
          label="Return path host"
          name="mailfrom_host"
          autoComplete="off"
          placeholder={`bounces.${domain.name}`}
          description={`A host below ${domain.name} that bounces come back to; its record is listed above once it is saved. Empty: this installation’s own host.`}
          value={returnHost}
          maxLength={253}
          disabled={!canWrite}
          error={field === 'mailfrom_host' && save.error && sentenceOf(save.error)}
          maw={640}
          mb="md"
          onChange={(event) => {
            setReturnHost(event.currentTarget.value);
            save.reset();
          }}
        />
      )}
      <NativeSelect
        label="Spam that comes in"
        description={SPAM[spam].about}
        value={spam}
        disabled={!canWrite}
        maw={640}
        mb="md"
        data={Object.entries(SPAM).map(([value, { label }]) => ({ value, label }))}
        onChange={(event) => setSpam(event.currentTarget.value as typeof spam)}
      />
      <Switch
        label="Encrypt what comes in"
        name="encrypt_incoming_message"
        description="Text and files of messages that come in from now on are encrypted where they are kept. Subjects, addresses and names of files stay readable."
        checked={isEncrypted}
        disabled={!canWrite}
        maw={640}
        mb="md"
        onChange={(event) => setEncrypted(event.currentTarget.checked)}
      />
      {canWrite && (
        <Button type="submit" size="xs" loading={save.isPending}>
          Save settings
        </Button>
      )}
    </form>
  );
}

/** The settings of a domain that its records do not hold. */
export function DomainSettings({ name }: { name: string }) {
  const { data } = useQuery(domainQuery(name));
  return (
    <section aria-labelledby="domain-settings" className={classes.section}>
      <div className={classes.head}>
        <h2 id="domain-settings">Return path, archive and incoming mail</h2>
      </div>
      {data ? <Form key={data.domain.name} domain={data.domain} /> : <Skeleton height={120} />}
      {data?.domain.archive_to !== undefined && <FailedCopies domain={name} />}
    </section>
  );
}
