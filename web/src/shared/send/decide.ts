// What a person decides about what waits: said when it is done, and said when it could not be.
import { useQueryClient } from '@tanstack/react-query';
import { sentenceOf } from '../../ground/api.ts';
import { announce } from '../../ground/shell/announce.ts';
import { tell } from '../../ground/shell/ask.ts';

/** Carries a decision out, tells of it, and asks again for the lists that it changes. */
export function useDecide(lists: readonly string[]): (decision: () => Promise<{ message: string }>) => Promise<void> {
  const queries = useQueryClient();
  return async (decision) => {
    try {
      const done = await decision();
      tell(done);
      announce(done.message);
    } catch (error) {
      tell({ color: 'red', title: 'Nothing was changed', message: sentenceOf(error) });
    }
    for (const list of lists) await queries.invalidateQueries({ queryKey: [list] });
  };
}
