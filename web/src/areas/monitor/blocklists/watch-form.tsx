import { Alert, Button, Group, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { CopyField } from '../../../ground/shell/copy-field.tsx';
import { everything, unverifiedQuery, verifyDomain, watchAsset } from './blocklists-api.ts';
import classes from './blocklists.module.css';

/** Adds an address or a domain. */
export function WatchForm() {
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const add = useMutation({
    mutationFn: watchAsset,
    onSuccess: () => (setText(''), queries.invalidateQueries(everything)),
  });
  const words = text.trim();
  const submit = (event: FormEvent): void => (event.preventDefault(), add.mutate(words));
  return (
    <form onSubmit={submit} className={classes.watch} noValidate>
      {add.error && (
        <Alert color="red" title="It was not added">
          {sentenceOf(add.error)}
        </Alert>
      )}
      <Group gap="xs" align="end">
        <TextInput
          className={classes.watchField}
          label="IP address or domain to watch"
          placeholder="192.0.2.1 or example.com"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" disabled={words === ''} loading={add.isPending}>
          Watch
        </Button>
      </Group>
    </form>
  );
}

/** Domains that are watched once DNS shows whose they are. */
export function Unverified({ canWrite }: { canWrite: boolean }) {
  const queries = useQueryClient();
  const { data = [] } = useQuery(unverifiedQuery);
  const verify = useMutation({
    mutationFn: verifyDomain,
    onSuccess: () => queries.invalidateQueries(everything),
  });
  if (data.length === 0) return null;
  return (
    <section aria-label="Domains to verify" className={classes.unverified}>
      {verify.error && (
        <Alert color="red" title="The check was not begun">
          {sentenceOf(verify.error)}
        </Alert>
      )}
      {data.map(({ name, txt_record: record, problem, verified }) => (
        <div key={name} className={classes.unverifiedOne}>
          <CopyField
            label={`TXT record at ${name}`}
            description={`${name} is watched once this record is published.${problem ? ` ${problem}` : ''}`}
            value={record}
          />
          {canWrite && (
            <Button
              size="compact-sm"
              variant="default"
              disabled={verified.status === 'pending'}
              loading={verify.isPending}
              onClick={() => verify.mutate(name)}
            >
              {verified.status === 'pending' ? 'DNS is being asked' : `Verify ${name}`}
            </Button>
          )}
        </div>
      ))}
    </section>
  );
}
