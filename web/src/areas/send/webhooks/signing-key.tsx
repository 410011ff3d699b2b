import { Alert, Button, Group } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { CopyField } from '../../../ground/shell/copy-field.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import classes from '../../../shared/send/send.module.css';
import { signingKeyQuery } from './webhooks-api.ts';

function useRotate(): () => void {
  const queries = useQueryClient();
  const rotate = async (): Promise<void> => {
    try {
      const { http_signing_key: key } = await api.call('POST /v5/accounts/http_signing_key', {});
      queries.setQueryData(signingKeyQuery.queryKey, key);
      tell({ message: 'The signing key is replaced.' });
    } catch (error) {
      tell({ color: 'red', title: 'The signing key was not replaced', message: sentenceOf(error) });
    }
  };
  return () =>
    ask({
      title: 'Replace the signing key?',
      text: 'Every event from now on is signed with a new key. Receivers that check signatures refuse events until they have it.',
      confirm: 'Replace',
      onConfirm: () => void rotate(),
    });
}

/** The key that receivers check signatures with. */
export function SigningKey() {
  const { canWrite, canManage } = useRole();
  const [isShown, setShown] = useState(false);
  const key = useQuery({ ...signingKeyQuery, enabled: isShown });
  const rotate = useRotate();
  if (!canWrite) return null;
  return (
    <section aria-labelledby="signing-key">
      <h2 id="signing-key" className={classes.part}>
        Signing key
      </h2>
      <p className={classes.stepAbout}>
        Each event carries a timestamp, a token and their HMAC-SHA256 with this key. Compute the same to check that an
        event comes from here.
      </p>
      {key.error && (
        <Alert color="red" title="The signing key could not be loaded">
          {sentenceOf(key.error)}
        </Alert>
      )}
      {isShown && key.data !== undefined && <CopyField label="Signing key" value={key.data} />}
      <Group gap="xs" mt="sm" mb="xl">
        <Button size="xs" variant="default" onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide key' : 'Show key'}
        </Button>
        {canManage && (
          <Button size="xs" variant="default" onClick={rotate}>
            Replace key
          </Button>
        )}
      </Group>
    </section>
  );
}
