import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { actFor, api } from '../api.ts';

/** Ends the session, here and at a provider that asks for it. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    const { logout_redirect_url: elsewhere } = await api.call('DELETE /v1/session', {});
    actFor(null);
    queries.clear();
    if (elsewhere !== undefined) return window.location.assign(elsewhere);
    await navigate({ to: '/sign-in' });
  };
}
