// What the page of tracking asks of the service.
import type { Reply } from '@galley/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { domainQuery } from '../../../shared/mail/mail-api.ts';

export type Tracking = Reply<'GET /v3/domains/{name}/tracking'>['tracking'];

export function trackingQuery(name: string) {
  return queryOptions({
    queryKey: ['domain-tracking', name],
    queryFn: async ({ signal }) =>
      (await api.call('GET /v3/domains/{name}/tracking', { path: { name } }, { signal })).tracking,
  });
}

type YesOrNo = 'yes' | 'no';

/** One part of the settings at a time, as the service changes them. */
interface Bodies {
  click: { active: YesOrNo | 'htmlonly' };
  open: { active?: YesOrNo; place_at_the_top?: YesOrNo };
  unsubscribe: { active?: YesOrNo; html_footer?: string; text_footer?: string };
}
type PartName = keyof Bodies;

const PUT = {
  click: (name: string, body: Bodies['click']) =>
    api.call('PUT /v3/domains/{name}/tracking/click', { path: { name }, body }),
  open: (name: string, body: Bodies['open']) =>
    api.call('PUT /v3/domains/{name}/tracking/open', { path: { name }, body }),
  unsubscribe: (name: string, body: Bodies['unsubscribe']) =>
    api.call('PUT /v3/domains/{name}/tracking/unsubscribe', { path: { name }, body }),
};

/** Changes a part, and shows what the service made of it. */
export function useChange<Name extends PartName>(name: string, part: Name) {
  const queries = useQueryClient();
  const { queryKey } = trackingQuery(name);
  const put = PUT[part] as (name: string, body: Bodies[Name]) => Promise<Partial<Tracking>>;
  return useMutation({
    mutationFn: (body: Bodies[Name]) => put(name, body),
    onSuccess: (reply) => {
      queries.setQueryData(
        queryKey,
        (before) => before && { ...before, [part]: reply[part], notes: reply.notes ?? [] },
      );
      announce('Saved. This applies to messages that are accepted from now on.');
    },
  });
}

type Host = Pick<Tracking, 'web_scheme'> & Record<'web_prefix', string>;

/** Gives the host of tracked links another name or scheme. */
export function useHost(name: string) {
  const queries = useQueryClient();
  const { queryKey } = trackingQuery(name);
  return useMutation({
    mutationFn: (body: Host) => api.call('PUT /v3/domains/{name}/web_prefix', { path: { name }, body }),
    onSuccess: ({ links, web_scheme }) => {
      queries.setQueryData(queryKey, (before) => before && { ...before, links, web_scheme });
      // Its records name the host.
      void queries.invalidateQueries({ queryKey: domainQuery(name).queryKey });
      announce('Saved. Links of messages that leave from now on have this host once its record is found.');
    },
  });
}
