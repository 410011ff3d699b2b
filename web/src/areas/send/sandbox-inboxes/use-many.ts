import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, sentenceOf } from '../../../ground/api.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { count } from '../../../ground/words.ts';

/** Which messages are meant: these, those that a search finds, or all. */
interface Meant {
  ids?: readonly string[];
  search?: string | undefined;
}

type Done = () => void;

/** What one call takes. */
const MARKED_AT_ONCE = 1000;
const DELETED_AT_ONCE = 100;

function parts(ids: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, n) => ids.slice(n * size, (n + 1) * size));
}

async function mark(inbox: string, isRead: boolean, { ids, search }: Meant): Promise<number> {
  const bodies = ids
    ? parts(ids, MARKED_AT_ONCE).map((some) => ({ ids: some }))
    : [search === undefined ? {} : { search }];
  let marked = 0;
  for (const body of bodies) {
    const given = { path: { inbox }, body: { is_read: isRead, ...body } };
    marked += (await api.call('PUT /v1/sandbox/{inbox}/messages', given)).count;
  }
  return marked;
}

async function remove(inbox: string, { ids, search }: Meant): Promise<number> {
  const queries = ids
    ? parts(ids, DELETED_AT_ONCE).map((some) => ({ ids: some.join(',') }))
    : [search === undefined ? {} : { search }];
  let deleted = 0;
  for (const query of queries)
    deleted += (await api.call('DELETE /v1/sandbox/{inbox}/messages', { path: { inbox }, query })).count;
  return deleted;
}

/** What is done with several messages of an inbox at once. */
export function useMany(inbox: string) {
  const queries = useQueryClient();
  const reload = async (): Promise<void> => {
    for (const key of ['sandbox-inbox', 'sandbox-messages', 'sandbox-tags'])
      await queries.invalidateQueries({ queryKey: [key, inbox] });
    await queries.invalidateQueries({ queryKey: ['sandbox'] });
  };
  const marking = useMutation({
    mutationFn: ({ isRead, ...meant }: Meant & { isRead: boolean }) => mark(inbox, isRead, meant),
    onSuccess: (marked, { isRead }) => announce(`${count(marked, 'message')} marked as ${isRead ? 'read' : 'unread'}.`),
    onError: (error) => tell({ color: 'red', title: 'The messages were not marked', message: sentenceOf(error) }),
    onSettled: reload,
  });
  const deleting = useMutation({
    mutationFn: (meant: Meant) => remove(inbox, meant),
    onSuccess: (deleted) => announce(`${count(deleted, 'message')} deleted.`),
    onError: (error) => tell({ color: 'red', title: 'The messages were not deleted', message: sentenceOf(error) }),
    onSettled: reload,
  });
  return {
    isBusy: marking.isPending || deleting.isPending,
    mark: (isRead: boolean, meant: Meant) => marking.mutate({ isRead, ...meant }),
    remove: (meant: Meant) => deleting.mutate(meant),
    askDelete: (meant: Meant, messages: number, onDelete?: Done) =>
      ask({
        title: meant.ids ? 'Delete these messages?' : meant.search ? 'Delete what was found?' : 'Delete all messages?',
        text: `${count(messages, 'message')} of ${inbox} go for good.`,
        confirm: meant.ids || meant.search ? 'Delete' : 'Delete all',
        onConfirm: () => (deleting.mutate(meant), onDelete?.()),
      }),
  };
}
