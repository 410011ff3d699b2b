import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, sentenceOf } from '../../../ground/api.ts';
import { tell } from '../../../ground/shell/ask.ts';
import type { GateItems } from './gate-api.ts';
import { keptOf, usePolicy } from './policy-input.tsx';

/** Runs a gate on the same message with the same policy, and shows the new one. */
export function useRunAgain({ id }: GateItems) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async () => (await api.call('POST /v1/inspect/gate/{id}/again', { path: { id } })).items,
    onSuccess: async (started) => {
      void queries.invalidateQueries({ queryKey: ['gates'] });
      await navigate({ to: '/gate/$gateId', params: { gateId: started.id } });
    },
    onError: (error) => tell({ color: 'red', title: 'The gate was not run again', message: sentenceOf(error) }),
  });
}

/** What the page of a new gate takes over from this gate. */
export function nextOf({ name, email, baseline }: GateItems): { baseline?: string; name?: string } {
  return { ...(baseline !== null && { baseline }), ...(email !== null && !URL.canParse(email) && { name }) };
}

/** Puts the policy of this gate into the form of the next one. */
export function useNextGate({ policy }: GateItems): () => void {
  const { set } = usePolicy();
  return () => policy && set(keptOf(policy));
}
