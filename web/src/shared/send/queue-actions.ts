import { useQueryClient } from '@tanstack/react-query';
import { api, sentenceOf } from '../../ground/api.ts';
import { announce } from '../../ground/shell/announce.ts';
import { ask, tell } from '../../ground/shell/ask.ts';

/** What can be done with what waits of a message. */
export function useQueueActions(storageKey: string) {
  const queries = useQueryClient();
  const path = { storage_key: storageKey };
  const run = async (title: string, work: () => Promise<{ message: string }>): Promise<void> => {
    try {
      const { message } = await work();
      tell({ message });
      announce(message);
    } catch (error) {
      tell({ color: 'red', title, message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['queue'] });
  };
  return {
    tryNow: () =>
      run('It was not tried', () => api.call('POST /v1/galley/queue/messages/{storage_key}/attempts', { path })),
    askCancel: (subject: string) =>
      ask({
        title: 'Cancel this message?',
        text:
          `“${subject.slice(0, 120)}” is not delivered to recipients who still wait. Those who have it already keep ` +
          'it. This cannot be undone.',
        confirm: 'Cancel message',
        onConfirm: () =>
          void run('It was not canceled', () => api.call('DELETE /v1/galley/queue/messages/{storage_key}', { path })),
      }),
  };
}
