import { useQueryClient } from '@tanstack/react-query';
import { api, sentenceOf } from '../../../ground/api.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';

type Deletion = 'DELETE /v1/thresholds/limits/{name}' | 'DELETE /v1/thresholds/alerts/send/{name}';

/** Asks, then deletes a threshold by its name. */
export function useDelete(operation: Deletion, what: string): (name: string, consequence: string) => void {
  const queries = useQueryClient();
  const remove = async (name: string): Promise<void> => {
    try {
      await api.call(operation, { path: { name } });
    } catch (error) {
      tell({ color: 'red', title: `The ${what} was not deleted`, message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['thresholds'] });
  };
  return (name, consequence) =>
    ask({
      title: `Delete this ${what}?`,
      text: `"${name}" is deleted. ${consequence}`,
      confirm: 'Delete',
      onConfirm: () => void remove(name),
    });
}
