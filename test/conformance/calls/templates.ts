// Templates of a domain, and their versions.
import type { Bed, Calls, Request } from '../bed.ts';
import { domainOf } from './domains.ts';
import { invalid, unknown } from './wrong.ts';

const TEMPLATES = '/v3/{domain_name}/templates';
const ONE = `${TEMPLATES}/{template_name}`;
const VERSIONS = `${ONE}/versions`;
const VERSION = `${VERSIONS}/{version_name}`;

const domain = (bed: Bed): Promise<string> => domainOf(bed, 'templates.example.com');

/** A template with two versions. */
const made = (bed: Bed, name: string): Promise<Record<string, string>> =>
  bed.once(`template ${name}`, async () => {
    const path = { domain_name: await domain(bed) };
    const headers = JSON.stringify({ Subject: 'Hello {{name}}' });
    await bed.get(`POST ${TEMPLATES}`, { path, form: { name, template: '<p>Hello {{name}}</p>', headers } });
    const named = { ...path, template_name: name };
    await bed.get(`POST ${VERSIONS}`, { path: named, form: { tag: 'second', template: '<p>Hi {{name}}</p>' } });
    return named;
  });
const shown = async (bed: Bed): Promise<Request> => ({ path: await made(bed, 'shown') });
const second = async (bed: Bed): Promise<Request> => ({
  path: { ...(await made(bed, 'shown')), version_name: 'second' },
});
const nowhere = { path: { template_name: 'none', version_name: 'none' } };
const noTemplate = unknown('domain_name', nowhere);

export const TEMPLATE_CALLS: Calls = {
  [`GET ${TEMPLATES}`]: {
    well: async (bed) => (await made(bed, 'shown'), { path: { domain_name: await domain(bed) } }),
    wrong: unknown('domain_name'),
  },
  [`POST ${TEMPLATES}`]: {
    well: async (bed) => ({
      path: { domain_name: await domain(bed) },
      form: { name: 'new', description: 'Greets', createdBy: 'ann', template: '<p>Hi</p>', tag: 'a', comment: 'new' },
    }),
    wrong: invalid(async (bed) => ({ path: { domain_name: await domain(bed) }, form: { name: 'new', engine: 'go' } })),
  },
  [`DELETE ${TEMPLATES}`]: {
    well: async (bed) => ({ path: { domain_name: await domainOf(bed, 'cleared.example.com') } }),
    wrong: unknown('domain_name'),
  },
  [`GET ${VERSIONS}`]: { well: shown, wrong: noTemplate },
  [`POST ${VERSIONS}`]: {
    well: async (bed) => ({
      path: await made(bed, 'growing'),
      form: { tag: 'third', template: '<p>Third</p>', comment: 'new', active: 'yes', headers: '{"Subject":"Third"}' },
    }),
    wrong: unknown('domain_name', { ...nowhere, form: { tag: 'third', template: '<p>Third</p>' } }),
  },
  [`GET ${ONE}`]: { well: async (bed) => ({ ...(await shown(bed)), query: { active: 'yes' } }), wrong: noTemplate },
  [`PUT ${ONE}`]: {
    well: async (bed) => ({ ...(await shown(bed)), form: { description: 'Changed' } }),
    wrong: unknown('domain_name', { ...nowhere, form: { description: 'Changed' } }),
  },
  [`DELETE ${ONE}`]: { well: async (bed) => ({ path: await made(bed, 'short') }), wrong: noTemplate },
  [`GET ${VERSION}`]: { well: second, wrong: noTemplate },
  [`PUT ${VERSION}`]: {
    well: async (bed) => ({ ...(await second(bed)), form: { template: '<p>Hi!</p>', comment: 'Changed' } }),
    wrong: unknown('domain_name', { ...nowhere, form: { comment: 'Changed' } }),
  },
  [`DELETE ${VERSION}`]: {
    well: async (bed) => ({ path: { ...(await made(bed, 'shrinking')), version_name: 'second' } }),
    wrong: noTemplate,
  },
  [`PUT ${VERSION}/copy/{new_version_name}`]: {
    well: async (bed) => ({
      path: { ...(await made(bed, 'copied')), version_name: 'second', new_version_name: 'third' },
      query: { comment: 'A copy' },
    }),
    wrong: unknown('domain_name', { path: { ...nowhere.path, new_version_name: 'third' } }),
  },
};
