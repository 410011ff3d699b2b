import { TagsInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, sentenceOf } from '../../../ground/api.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { useRole } from '../../../ground/shell/role.ts';
import { messageQuery, tagsQuery, type Message } from './sandbox-api.ts';
import classes from './sandbox.module.css';

const TAGS_MAX = 20;
const TAG_LENGTH_MAX = 100;

/** The tags of a message, and the field that changes them. */
export function MessageTags({ inbox, message }: { inbox: string; message: Message }) {
  const { canWrite } = useRole();
  const queries = useQueryClient();
  const { data: known = [] } = useQuery(tagsQuery(inbox));
  const save = useMutation({
    mutationFn: (tags: string[]) =>
      api.call('PUT /v1/sandbox/{inbox}/messages/{message_id}/tags', {
        path: { inbox, message_id: message.id },
        body: { tags },
      }),
    onSuccess: async ({ tags }) => {
      announce(tags.length === 0 ? 'The message has no tags.' : `Tags: ${tags.join(', ')}.`);
      queries.setQueryData(messageQuery(inbox, message.id).queryKey, (before) => before && { ...before, tags });
      for (const key of ['sandbox-messages', 'sandbox-tags'])
        await queries.invalidateQueries({ queryKey: [key, inbox] });
    },
  });
  if (!canWrite && message.tags.length === 0) return null;
  return (
    <TagsInput
      label="Tags"
      className={classes.tagged}
      value={save.isPending ? save.variables : message.tags}
      placeholder={message.tags.length === 0 ? 'A word, then Enter' : ''}
      data={known.map(({ tag }) => tag)}
      maxTags={TAGS_MAX}
      maxLength={TAG_LENGTH_MAX}
      readOnly={!canWrite || save.isPending}
      error={save.error && sentenceOf(save.error)}
      onChange={(tags) => save.mutate(tags)}
    />
  );
}
