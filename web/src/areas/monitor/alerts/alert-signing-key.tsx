import { Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { CopyField } from '../../../ground/shell/copy-field.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import classes from './alerts.module.css';

/** The key that receivers of alerts check `X-Sign` with. */
export function AlertSigningKey({ signingKey }: { signingKey: string | null }) {
  const { canManage } = useRole();
  const queries = useQueryClient();
  const [isShown, setShown] = useState(false);
  const rotate = async (): Promise<void> => {
    try {
      await api.call('PUT /v1/alerts/settings/webhooks/signing_key', {});
      tell({ message: 'The signing key of alerts is replaced.' });
    } catch (error) {
      tell({ color: 'red', title: 'The signing key was not replaced', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['alert-settings'] });
  };
  const askRotate = (): void =>
    ask({
      title: 'Replace the signing key of alerts?',
      text: 'Every alert from now on is signed with a new key. Receivers that check X-Sign refuse alerts until they have it.',
      confirm: 'Replace',
      onConfirm: () => void rotate(),
    });
  return (
    <section aria-labelledby="alert-signing-key">
      <h2 id="alert-signing-key" className={classes.part}>
        Signing key of alerts
      </h2>
      <p className={classes.about}>
        Webhooks of alerts carry X-Sign: the HMAC-SHA256 of the whole body with this key. Webhooks of sending have
        another key.
      </p>
      {isShown && signingKey !== null && <CopyField label="Signing key of alerts" value={signingKey} />}
      <Group gap="xs" mt="sm" mb="xl">
        <Button size="xs" variant="default" onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide key' : 'Show key'}
        </Button>
        {canManage && (
          <Button size="xs" variant="default" onClick={askRotate}>
            Replace key
          </Button>
        )}
      </Group>
    </section>
  );
}
