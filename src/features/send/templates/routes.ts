import { invalid } from '../../../platform/errors/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { pivotPaging, type PivotPage } from '../../../platform/paging/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import * as act from './actions.ts';
import { PLACES, renderContract, templateContracts, versionContracts, type PlaceName } from './contract.ts';
import { isYes, readHeaders, readTexts } from './fields.ts';
import { compileStored, renderStored } from './rendering.ts';
import * as store from './store.ts';
import type { Place, Template } from './store.ts';
import { shortView, templateView, versionView } from './view.ts';

/** Text, both; the paths of one place have no domain. */
interface Named {
  domain_name?: unknown;
  template_name?: unknown;
}

interface Asked {
  page: PivotPage['page'];
  limit: number;
  p?: string;
}

type Asking = Pick<Context, 'db' | 'config' | 'secrets' | 'clock' | 'principal'>;

/** Whose templates the path names, and where they are. Throws `not_found`. */
async function placeOf(ctx: Asking, { domain_name: name }: Named): Promise<Place & { path: string }> {
  const { accountId } = ctx.principal;
  if (name === undefined) return { accountId, domainId: null, path: '/v4/templates' };
  const domain = await getDomain(ctx, accountId, String(name));
  return { accountId, domainId: domain.id, path: `/v3/${domain.name}/templates` };
}

const placed = ({ accountId, domainId }: Place): Place => ({ accountId, domainId });

async function templateOf(ctx: Asking, params: Named): Promise<Template> {
  return act.getTemplate(ctx, await placeOf(ctx, params), String(params.template_name));
}

/** Nothing, where there is nothing to say. */
const said = ({ warnings }: { warnings: string[] } = { warnings: [] }) => (warnings.length > 0 ? { warnings } : {});

const paging = (url: string, page: PivotPage, shown: readonly string[]) => pivotPaging(url, { name: 'p', page, shown });

function templatesIn(place: PlaceName) {
  const contracts = templateContracts(place);
  return [
    endpoint(contracts.list, async (ctx, { params, query }) => {
      const { page, limit, p } = query as Asked;
      const where = await placeOf(ctx, params);
      const wanted = { page, limit, pivot: p?.toLowerCase() };
      const items = await store.listTemplates(ctx.db, where, wanted);
      const names = items.map(({ name }) => name);
      return {
        items: items.map((item) => templateView(item)),
        paging: paging(`${ctx.baseUrl}${where.path}`, wanted, names),
      };
    }),
    endpoint(contracts.create, async (ctx, { params, body }) => {
      const made = await act.createTemplate(ctx, placed(await placeOf(ctx, params)), body);
      const template = templateView(made.template, made.version);
      return { message: 'template has been stored', template, ...said(made) };
    }),
    endpoint(contracts.clear, async (ctx, { params }) => {
      await store.deleteTemplates(ctx.db, await placeOf(ctx, params));
      return { message: 'templates have been deleted' };
    }),
    endpoint(contracts.get, async (ctx, { params, query }) => {
      const template = await templateOf(ctx, params);
      const { accountId, id: templateId } = template;
      const active = isYes(query.active) ? await store.findVersion(ctx.db, accountId, { templateId }) : undefined;
      return { template: templateView(template, active) };
    }),
    endpoint(contracts.update, async (ctx, { params, body: { description } }) => {
      const { id, name, accountId } = await templateOf(ctx, params);
      if (description !== undefined) await store.describeTemplate(ctx.db, accountId, { id, description });
      return { message: 'template has been updated', template: { name } };
    }),
    endpoint(contracts.remove, async (ctx, { params }) => {
      const { name } = await act.removeTemplate(ctx, await placeOf(ctx, params), params.template_name);
      return { message: 'template has been deleted', template: { name } };
    }),
  ];
}

function versionsIn(place: PlaceName) {
  const contracts = versionContracts(place);
  return [
    endpoint(contracts.list, async (ctx, { params, query }) => {
      const { page, limit, p } = query as Asked;
      const { path, ...where } = await placeOf(ctx, params);
      const template = await act.getTemplate(ctx, where, params.template_name);
      const wanted = { page, limit, pivot: p };
      const versions = await store.listVersions(ctx.db, template.accountId, { templateId: template.id, page: wanted });
      const url = `${ctx.baseUrl}${path}/${encodeURIComponent(template.name)}/versions`;
      return {
        template: { ...templateView(template), versions: versions.map(shortView) },
        paging: paging(
          url,
          wanted,
          versions.map(({ tag }) => tag),
        ),
      };
    }),
    endpoint(contracts.create, async (ctx, { params, body }) => {
      const template = await templateOf(ctx, params);
      const made = await act.createVersion(ctx, template, body);
      const shown = templateView(template, made.version);
      return { message: 'new version of the template has been stored', template: shown, ...said(made) };
    }),
    endpoint(contracts.get, async (ctx, { params }) => {
      const template = await templateOf(ctx, params);
      return { template: templateView(template, await act.getVersion(ctx.db, template, params.version_name)) };
    }),
    endpoint(contracts.update, async (ctx, { params, body }) => {
      const template = await templateOf(ctx, params);
      const changed = await act.changeVersion(ctx, template, { ...body, tag: params.version_name });
      const { tag } = changed.version;
      const named = { name: template.name, version: { tag } };
      return { message: 'version has been updated', template: named, ...said(changed) };
    }),
    endpoint(contracts.remove, async (ctx, { params }) => {
      const template = await templateOf(ctx, params);
      const { tag } = await act.removeVersion(ctx, template, params.version_name);
      return { message: 'version has been deleted', template: { name: template.name, version: { tag } } };
    }),
    endpoint(contracts.copy, async (ctx, { params, query }) => {
      const { version_name: from, new_version_name: to } = params;
      const copy = versionView(
        await act.copyVersion(ctx, await templateOf(ctx, params), { from, to, comment: query.comment }),
      );
      return { message: 'version has been copied', version: copy, template: copy };
    }),
  ];
}

const render = endpoint(renderContract, async (ctx, { body }) => {
  const { variables = {}, validation } = body;
  const [{ template = '', mjml }, given] = [readTexts(body), readHeaders(body.headers) ?? {}];
  if (template === '' && mjml === undefined) throw invalid('template', 'is required, or mjml.');
  const compiled = mjml === undefined ? undefined : await compileStored(ctx, { mjml, validation });
  const wanted = { template: compiled?.html ?? template, headers: given, variables, withText: false };
  const { html, headers, missing } = await renderStored(ctx, wanted);
  return { html, headers, missing, ...said(compiled) };
});

export const endpoints = [...PLACES.flatMap((place) => [...templatesIn(place), ...versionsIn(place)]), render];
