import { Alert, Button, Stack, TextInput, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { fieldOf, sentenceOf } from '../../../ground/api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { addMember, changeMember, type Member, type MemberFields } from './lists-api.ts';

interface MemberDialogProps {
  list: string;
  /** Undefined: a new one. */
  member?: Member;
  onClose: () => void;
}

const FIELDS = ['address', 'name', 'vars'] as const;

function fieldsOf(member: Member | undefined): MemberFields {
  const { address = '', name = '', vars = {} } = member ?? {};
  return { address, name, vars: Object.keys(vars).length > 0 ? JSON.stringify(vars, null, 2) : '' };
}

/** Who a member is, and what messages to them say in place of variables. */
export function MemberDialog({ list, member, onClose }: MemberDialogProps) {
  const queries = useQueryClient();
  const [fields, setFields] = useState(() => fieldsOf(member));
  const set = (change: Partial<MemberFields>): void => setFields((before) => ({ ...before, ...change }));
  const save = useMutation({
    mutationFn: () => {
      // No variables are an empty object: an empty text changes nothing.
      const given = { address: fields.address.trim(), name: fields.name.trim(), vars: fields.vars.trim() || '{}' };
      return member ? changeMember(list, member.address, given) : addMember(list, given);
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['list-members', list] });
      await queries.invalidateQueries({ queryKey: ['mailing-list', list] });
      void queries.invalidateQueries({ queryKey: ['mailing-lists'] });
      onClose();
    },
  });
  const field = save.error ? fieldOf(save.error, FIELDS) : undefined;
  const wrong = (name: (typeof FIELDS)[number]) => field === name && sentenceOf(save.error);
  const submit = (event: FormEvent): void => (event.preventDefault(), save.mutate());
  return (
    <Dialog onClose={onClose} title={member ? 'Change a member' : 'Add a member'}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {save.error && field === undefined && (
            <Alert color="red" title="The member was not saved">
              {sentenceOf(save.error)}
            </Alert>
          )}
          <TextInput
            label="Address"
            name="address"
            placeholder="ann@example.com"
            value={fields.address}
            error={wrong('address')}
            onChange={(event) => set({ address: event.currentTarget.value })}
            autoComplete="off"
            data-autofocus
          />
          <TextInput
            label="Name"
            name="name"
            description="%recipient_name% in messages to the list."
            value={fields.name}
            error={wrong('name')}
            onChange={(event) => set({ name: event.currentTarget.value })}
            autoComplete="off"
          />
          <Textarea
            label="Variables"
            name="vars"
            description="A JSON object. %recipient.age% in messages is what it says of age."
            placeholder={'{ "age": 26 }'}
            autosize
            minRows={2}
            maxRows={12}
            styles={{ input: { fontFamily: 'var(--font-mono)' } }}
            value={fields.vars}
            error={wrong('vars')}
            onChange={(event) => set({ vars: event.currentTarget.value })}
          />
          <Button type="submit" loading={save.isPending} disabled={fields.address.trim() === ''}>
            {member ? 'Save' : 'Add'}
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}
