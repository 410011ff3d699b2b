import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, sentenceOf } from '../../../ground/api.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';

/** Asks, deletes, and goes back to the list. */
export function useDeleteDomain(name: string): () => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    try {
      await api.call('DELETE /v3/domains/{name}', { path: { name } });
      queries.removeQueries({ queryKey: ['domain', name] });
      await queries.invalidateQueries({ queryKey: ['domains'] });
      await navigate({ to: '/domains' });
    } catch (error) {
      tell({ color: 'red', title: 'The domain was not deleted', message: sentenceOf(error) });
    }
  };
  return () =>
    ask({
      title: 'Delete this domain?',
      text: `${name}: its DKIM key is deleted and Galley can no longer send from it. This cannot be undone.`,
      confirm: 'Delete',
      onConfirm: () => void remove(),
    });
}
