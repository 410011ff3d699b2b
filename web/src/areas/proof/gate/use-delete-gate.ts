import { useQueryClient } from '@tanstack/react-query';
import { api, sentenceOf } from '../../../ground/api.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';

/** Asks, and deletes a gate. */
export function useDeleteGate({ id, name }: { id: string; name: string }, onDeleted?: () => Promise<void>): () => void {
  const queries = useQueryClient();
  const remove = async (): Promise<void> => {
    try {
      await api.call('DELETE /v1/inspect/gate/{id}', { path: { id } });
      await onDeleted?.();
    } catch (error) {
      tell({ color: 'red', title: 'The gate run was not deleted', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['gates'] });
  };
  return () =>
    ask({
      title: 'Delete this gate run?',
      text: `“${name}”: its verdict, findings and screenshots are deleted. This cannot be undone. Baselines are kept.`,
      confirm: 'Delete',
      onConfirm: () => void remove(),
    });
}
