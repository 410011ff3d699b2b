import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../ground/api.ts';
import { useRole } from '../../../ground/shell/role.ts';
import { SigningKey } from '../../../shared/send/signing-key.tsx';
import { signingKeyQuery } from './webhooks-api.ts';

/** The key that receivers of events check signatures with. */
export function WebhookSigningKey() {
  const { canWrite } = useRole('signingKeys');
  const queries = useQueryClient();
  const [isWanted, setWanted] = useState(false);
  const key = useQuery({ ...signingKeyQuery, enabled: isWanted });
  if (!canWrite) return null;
  return (
    <SigningKey
      title="Signing key"
      about={
        'Each event carries a timestamp, a token and their HMAC-SHA256 with this key. Compute the same to check that ' +
        'an event comes from here.'
      }
      value={key.data}
      error={key.error}
      onShow={() => setWanted(true)}
      warning={
        'Every event from now on is signed with a new key. Receivers that check signatures refuse events until they ' +
        'have it.'
      }
      onReplace={async () => {
        const { http_signing_key: made } = await api.call('POST /v5/accounts/http_signing_key', {});
        queries.setQueryData(signingKeyQuery.queryKey, made);
      }}
    />
  );
}
