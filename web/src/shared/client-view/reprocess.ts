import { useQueryClient } from '@tanstack/react-query';
import { api, sentenceOf } from '../../ground/api.ts';
import { tell } from '../../ground/shell/ask.ts';
import { count } from '../../ground/words.ts';

/** Asks for the pictures of these clients anew, and says what was refused. */
export function useReprocess(testId: string): (clients: string[]) => Promise<void> {
  const queries = useQueryClient();
  return async (clients) => {
    try {
      const outcomes = Object.values(
        await api.call('PUT /v1/preview/tests/{test_id}/results/reprocess', {
          path: { test_id: testId },
          body: { clients },
        }),
      );
      const refused = outcomes.filter((outcome) => !outcome.success);
      const reasons = [...new Set(refused.map((outcome) => outcome.reason))].join(' ');
      await queries.invalidateQueries({ queryKey: ['results', testId] });
      await queries.invalidateQueries({ queryKey: ['test', testId] });
      if (refused.length)
        tell({ color: 'red', title: `${count(refused.length, 'screenshot')} will not be retaken`, message: reasons });
      else tell({ message: `The screenshots of ${count(outcomes.length, 'client')} will be retaken.` });
    } catch (error) {
      tell({ color: 'red', title: 'No screenshot was retaken', message: sentenceOf(error) });
    }
  };
}
