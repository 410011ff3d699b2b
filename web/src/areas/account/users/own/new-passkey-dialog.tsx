import { Button, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, fieldOf, sentenceOf } from '../../../../ground/api.ts';
import { tell } from '../../../../ground/shell/ask.ts';
import { Dialog } from '../../../../ground/shell/dialog.tsx';
import { browserOf } from '../../../../ground/user-agent.ts';
import { makePasskey } from '../../../../shared/sign-in/passkeys.ts';
import { CurrentPassword } from './current-password.tsx';
import { OWN_USER_KEY, type OwnUser } from './own-query.ts';
import { CodeField, ProofForm } from './proof-form.tsx';

const NAME_LENGTH_MAX = 100;

function useAdd(onAdded: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, ...proofs }: { name: string; current_password: string; code: string }) => {
      const { options } = await api.call('POST /v5/users/me/passkeys/challenge', { body: proofs });
      return api.call('POST /v5/users/me/passkeys', { body: { name, credential: await makePasskey(options) } });
    },
    onSuccess: async () => {
      onAdded();
      tell({ message: 'The passkey is kept. You can sign in with it from now on.' });
      // A recovery code may have been used, too.
      await queries.invalidateQueries({ queryKey: OWN_USER_KEY });
    },
  });
}

/** Asks for what proves that it is the person, then lets the device make a key. */
export function NewPasskeyDialog({ user, onClose }: { user: OwnUser; onClose: () => void }) {
  const [name, setName] = useState(() => browserOf(navigator.userAgent));
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const add = useAdd(onClose);
  const hasPassword = user.password_updated_at !== null;
  const about = (field: string): string | false => fieldOf(add.error, [field]) !== undefined && sentenceOf(add.error);
  const isReady = name.trim() !== '' && (!hasPassword || password !== '') && (!user.tfa_enabled || code.trim() !== '');
  return (
    <Dialog onClose={onClose} title="Add a passkey" closeOnClickOutside={!add.isPending}>
      <ProofForm
        error={add.error}
        title="The passkey was not added"
        fields={['name', 'current_password', 'code']}
        onSubmit={() => add.mutate({ name: name.trim(), current_password: password, code: code.trim() })}
      >
        <Text size="sm">Your browser then asks where to keep the passkey: in this device or in another one.</Text>
        <TextInput
          label="Name"
          name="passkey-name"
          description="Such as the name of the device, so that you know it again."
          value={name}
          maxLength={NAME_LENGTH_MAX}
          error={about('name')}
          onChange={(event) => setName(event.currentTarget.value)}
          {...(!hasPassword && { 'data-autofocus': true })}
        />
        {hasPassword && <CurrentPassword value={password} error={about('current_password')} onChange={setPassword} />}
        {user.tfa_enabled && (
          <CodeField
            value={code}
            description="The six digits that your app shows now, or a recovery code."
            error={about('code')}
            onChange={setCode}
          />
        )}
        <Button type="submit" loading={add.isPending} disabled={!isReady}>
          Make the passkey
        </Button>
      </ProofForm>
    </Dialog>
  );
}
