// What the pages of templates ask of the service, of a domain or of the account.
import type { Reply } from '@galley/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';

export type Template = Reply<'GET /v4/templates'>['items'][number];
export type ShortVersion = Reply<'GET /v4/templates/{template_name}/versions'>['template']['versions'][number];
export type Version = NonNullable<
  Reply<'GET /v4/templates/{template_name}/versions/{version_name}'>['template']['version']
>;

/** Where a template is: at a domain, or, without one, at the account. */
export interface Place {
  domain: string | undefined;
  name: string;
}

/** What a version is made of. */
export interface Texts {
  /** HTML; of MJML, what it was compiled to. */
  template: string;
  /** Empty: the HTML is written by hand. */
  mjml: string;
  comment: string;
  headers: Record<string, string>;
}

/** So many are shown; an account has no more by default. */
const SHOWN_MAX = 1000;

export function templatesQuery(domain: string | undefined) {
  return queryOptions({
    queryKey: ['templates', domain ?? ''],
    queryFn: async ({ signal }) => {
      const query = { limit: SHOWN_MAX };
      const { items } = domain
        ? await api.call('GET /v3/{domain_name}/templates', { path: { domain_name: domain }, query }, { signal })
        : await api.call('GET /v4/templates', { query }, { signal });
      return items;
    },
  });
}

export function versionsQuery({ domain, name }: Place) {
  return queryOptions({
    queryKey: ['template', domain ?? '', name],
    queryFn: async ({ signal }) => {
      const query = { limit: SHOWN_MAX };
      const path = { template_name: name };
      const { template } = domain
        ? await api.call(
            'GET /v3/{domain_name}/templates/{template_name}/versions',
            { path: { ...path, domain_name: domain }, query },
            { signal },
          )
        : await api.call('GET /v4/templates/{template_name}/versions', { path, query }, { signal });
      return template;
    },
  });
}

export function versionQuery({ domain, name }: Place, tag: string) {
  return queryOptions({
    queryKey: ['template', domain ?? '', name, tag],
    queryFn: async ({ signal }): Promise<Version> => {
      const path = { template_name: name, version_name: tag };
      const { template } = domain
        ? await api.call(
            'GET /v3/{domain_name}/templates/{template_name}/versions/{version_name}',
            { path: { ...path, domain_name: domain } },
            { signal },
          )
        : await api.call('GET /v4/templates/{template_name}/versions/{version_name}', { path }, { signal });
      if (!template.version) throw new Error('The template has no such version.');
      return template.version;
    },
  });
}

export function createTemplate(domain: string | undefined, body: { name: string; description: string }) {
  return domain
    ? api.call('POST /v3/{domain_name}/templates', { path: { domain_name: domain }, body })
    : api.call('POST /v4/templates', { body });
}

export function describeTemplate({ domain, name }: Place, description: string) {
  const given = { body: { description } };
  return domain
    ? api.call('PUT /v3/{domain_name}/templates/{template_name}', {
        path: { domain_name: domain, template_name: name },
        ...given,
      })
    : api.call('PUT /v4/templates/{template_name}', { path: { template_name: name }, ...given });
}

export function removeTemplate({ domain, name }: Place) {
  return domain
    ? api.call('DELETE /v3/{domain_name}/templates/{template_name}', {
        path: { domain_name: domain, template_name: name },
      })
    : api.call('DELETE /v4/templates/{template_name}', { path: { template_name: name } });
}

/** The one text that is written; the other follows from it. */
export const writtenIn = ({ template, mjml }: Pick<Texts, 'template' | 'mjml'>) =>
  mjml === '' ? { template } : { mjml };

/** What the service is told of a version. */
type Given = Partial<ReturnType<typeof writtenIn>> & Partial<Omit<Texts, 'template' | 'mjml'>>;

export function createVersion({ domain, name }: Place, body: Given & { tag: string }) {
  return domain
    ? api.call('POST /v3/{domain_name}/templates/{template_name}/versions', {
        path: { domain_name: domain, template_name: name },
        body,
      })
    : api.call('POST /v4/templates/{template_name}/versions', { path: { template_name: name }, body });
}

/** What is not given stays. */
export function changeVersion({ domain, name }: Place, tag: string, body: Given & { active?: 'yes' }) {
  const path = { template_name: name, version_name: tag };
  return domain
    ? api.call('PUT /v3/{domain_name}/templates/{template_name}/versions/{version_name}', {
        path: { ...path, domain_name: domain },
        body,
      })
    : api.call('PUT /v4/templates/{template_name}/versions/{version_name}', { path, body });
}

export function removeVersion({ domain, name }: Place, tag: string) {
  const path = { template_name: name, version_name: tag };
  return domain
    ? api.call('DELETE /v3/{domain_name}/templates/{template_name}/versions/{version_name}', {
        path: { ...path, domain_name: domain },
      })
    : api.call('DELETE /v4/templates/{template_name}/versions/{version_name}', { path });
}

export function copyVersion({ domain, name }: Place, tag: string, to: string) {
  const path = { template_name: name, version_name: tag, new_version_name: to };
  return domain
    ? api.call('PUT /v3/{domain_name}/templates/{template_name}/versions/{version_name}/copy/{new_version_name}', {
        path: { ...path, domain_name: domain },
      })
    : api.call('PUT /v4/templates/{template_name}/versions/{version_name}/copy/{new_version_name}', { path });
}

interface ToFill {
  template?: string;
  mjml?: string;
  headers: Record<string, string>;
  variables: Record<string, unknown>;
}

/** What texts that need not be stored become; undefined: nothing is asked. */
export function filledQuery(given: ToFill | undefined) {
  return queryOptions({
    queryKey: ['template-filled', given],
    queryFn: ({ signal }) => api.call('POST /v1/galley/templates/render', { body: given as ToFill }, { signal }),
    enabled: given !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  });
}

/** A preview test that is made when it is first asked for; nothing is made of nothing. */
export function madeQuery(
  given: { html: string; subject: string; clients: readonly string[]; name: string } | undefined,
) {
  return queryOptions({
    queryKey: ['template-test', given],
    queryFn: async () => {
      const { html, subject, clients, name } = given as NonNullable<typeof given>;
      const body = { html, subject, clients: [...clients], reference_id: `template ${name}`.slice(0, 200) };
      return (await api.call('POST /v2/preview/tests', { body })).id;
    },
    enabled: given !== undefined,
    staleTime: Infinity,
    retry: false,
  });
}
