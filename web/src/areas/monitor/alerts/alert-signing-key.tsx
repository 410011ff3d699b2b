import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';
import { SigningKey } from '../../../shared/send/signing-key.tsx';

/** The key that receivers of alerts check `X-Sign` with. */
export function AlertSigningKey({ signingKey }: { signingKey: string | null }) {
  const queries = useQueryClient();
  return (
    <SigningKey
      title="Signing key of alerts"
      about={
        'Webhooks of alerts carry X-Sign: the HMAC-SHA256 of the whole body with this key. Webhooks of sending have ' +
        'another key.'
      }
      value={signingKey}
      warning={
        'Every alert from now on is signed with a new key. Receivers that check X-Sign refuse alerts until they have it.'
      }
      onReplace={async () => {
        await api.call('PUT /v1/alerts/settings/webhooks/signing_key', {});
        await queries.invalidateQueries({ queryKey: ['alert-settings'] });
      }}
    />
  );
}
