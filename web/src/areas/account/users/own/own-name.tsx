import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf } from '../../../../ground/api.ts';
import { tell } from '../../../../ground/shell/ask.ts';
import type { OwnUser } from './own-query.ts';
import classes from './own.module.css';

export function OwnName({ user }: { user: OwnUser }) {
  const [name, setName] = useState(user.name);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => api.call('PUT /v5/users/me/name', { body: { name: name.trim() } }),
    onSuccess: async () => {
      tell({ message: 'Your name is saved.' });
      await queries.invalidateQueries();
    },
  });
  const submit = (event: FormEvent): void => (event.preventDefault(), save.mutate());
  return (
    <section aria-labelledby="own-name">
      <h2 id="own-name">Name</h2>
      <form onSubmit={submit} className={classes.form}>
        <Stack gap="md">
          <TextInput
            label="Name"
            name="name"
            autoComplete="name"
            description="People of this account see it in the list of users, in sessions and in the audit log."
            value={name}
            maxLength={200}
            error={save.error && sentenceOf(save.error)}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label="Email"
            name="email"
            description="You sign in with it. It cannot be changed; an admin can invite another address."
            value={user.email}
            readOnly
          />
          <Button type="submit" loading={save.isPending} style={{ alignSelf: 'flex-start' }}>
            Save name
          </Button>
        </Stack>
      </form>
    </section>
  );
}
