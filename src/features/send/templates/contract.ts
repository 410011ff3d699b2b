import { Type } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { EndlessPaging, pivotField, pivotFields } from '../../../platform/paging/index.ts';

export const VERSIONS_MAX = 40;
export const TEMPLATE_BYTES_MAX = 100 * 1024;
/** Header fields that a version may have. */
export const HEADERS = ['From', 'Subject', 'Reply-To'] as const;

const common = { tag: 'Templates', errorShape: 'message', rights: 'templates' } as const;

const short = {
  tag: Type.String(),
  engine: Type.String({ description: 'Always `handlebars`.' }),
  mjml: Type.String({
    description: 'The MJML that `template` was compiled from; empty where there is none, and in lists.',
  }),
  createdAt: Type.String({ description: 'RFC 2822, UTC.' }),
  comment: Type.String(),
  active: Type.Boolean({ description: 'It is the version that is used where none is named.' }),
  id: Type.String(),
};
const Version = Type.Object(
  {
    ...short,
    template: Type.String({ description: 'The HTML, with its variables.' }),
    headers: Type.Record(Type.String(), Type.String(), { description: 'Of From, Subject and Reply-To those it has.' }),
  },
  { title: 'TemplateVersion' },
);
const fields = {
  name: Type.String(),
  description: Type.String(),
  createdAt: Type.String({ description: 'RFC 2822, UTC.' }),
  createdBy: Type.String({ description: 'As whoever created it said.' }),
  id: Type.String(),
};
const Template = Type.Object({ ...fields, version: Type.Optional(Version) }, { title: 'Template' });
const Listed = Type.Object(
  { ...fields, versions: Type.Array(Type.Object(short, { title: 'ListedTemplateVersion' })) },
  { title: 'TemplateWithVersions' },
);
/** Of MJML; left out where there is nothing to say. */
const warnings = Type.Optional(
  Type.Array(Type.String(), {
    description: 'What MJML does not know or leaves out, each with its line; at most 20. Only where there is any.',
  }),
);
const Said = Type.Object({ message: Type.String(), template: Template, warnings });
const Changed = Type.Object({
  message: Type.String(),
  warnings,
  template: Type.Object({ name: Type.String(), version: Type.Optional(Type.Object({ tag: Type.String() })) }),
});

/** `yes`, as forms have it; JSON may say true. */
const active = (description: string) =>
  Type.Optional(Type.Union([Type.Enum(['yes', 'no', 'true', 'false']), Type.Boolean()], { description }));
const headers = Type.Optional(
  readByItself(
    Type.Union([Type.String(), Type.Record(Type.String(), Type.String())], {
      description:
        `JSON: \`{"Subject": "Hello {{name}}"}\`. Of ${HEADERS.join(', ')}, which messages have that do not say their ` +
        'own; variables are filled in them, too.',
    }),
  ),
);
const text = `Handlebars: HTML, at most ${TEMPLATE_BYTES_MAX / 1024} KiB.`;
const Text = Type.String({ description: text });
/** How a text may be given besides as HTML. */
const written = {
  mjml: Type.Optional(
    Type.String({
      description:
        `MJML 4 with Handlebars in place of \`template\`, at most ${TEMPLATE_BYTES_MAX / 1024} KiB. It is compiled ` +
        'when it is kept, and `template` becomes its HTML. A block may stand between elements; mj-include is refused.',
    }),
  ),
  engine: Type.Optional(
    Type.String({ description: '`handlebars`, or `mjml`: `template` holds MJML. Others are refused.' }),
  ),
  validation: Type.Optional(
    Type.Enum(['strict', 'soft'], {
      description:
        'Of MJML. `strict` refuses what MJML does not know or leaves out; `soft`, which is the default, lists it in ' +
        '`warnings`.',
    }),
  ),
};
const Comment = Type.Optional(Type.String({ maxLength: 1000 }));
const Description = Type.Optional(Type.String({ maxLength: 1000 }));

const NAME = { minLength: 1, maxLength: 300 } as const;
const domain = { domain_name: Type.String({ description: 'A sending domain of the account.' }) };
const name = { template_name: Type.String({ ...NAME, description: 'In any case: `Welcome` is `welcome`.' }) };
const tag = { version_name: Type.String({ ...NAME, description: 'The tag of the version.' }) };
const paged = Type.Object({ ...pivotFields({ limit: 10 }), p: pivotField });

/** Which templates: the domain's, or the account's. */
export const PLACES = ['domain', 'account'] as const;
export type PlaceName = (typeof PLACES)[number];

const PLACED = {
  domain: { path: '/v3/{domain_name}/templates', params: domain, prefix: '', of: 'a domain', end: '' },
  account: {
    path: '/v4/templates',
    params: {},
    prefix: 'Account',
    of: 'the account',
    end: ' Templates of the account are for all of its domains; a domain’s own of the same name goes before it.',
  },
} as const;

/** Templates as a whole. */
export function templateContracts(place: PlaceName) {
  return { ...listContracts(place), ...oneContracts(place) };
}

function listContracts(place: PlaceName) {
  const { path, params, prefix, of, end } = PLACED[place];
  return {
    list: contract({
      ...common,
      method: 'GET',
      operationId: `list${prefix}Templates`,
      path,
      summary: `List the templates of ${of}`,
      description: `By name, without their versions.${end}`,
      params: Type.Object(params),
      query: paged,
      reply: Type.Object({ items: Type.Array(Template), paging: EndlessPaging }),
      errors: ['invalid_request', 'not_found'],
    }),
    create: contract({
      ...common,
      method: 'POST',
      operationId: `create${prefix}Template`,
      path,
      summary: `Create a template of ${of}`,
      description:
        'Its name is kept in lower case. With `template` or `mjml` it gets its first version, which is the active one. The text is ' +
        `Handlebars with if, unless, each, with, lookup, equal and log; partials are not read.${end}`,
      params: Type.Object(params),
      sample: { name: 'welcome', template: '<p>Hello {{name}}</p>', headers: { Subject: 'Welcome, {{name}}' } },
      body: Type.Object({
        name: Type.String({ ...NAME, maxLength: 100 }),
        description: Description,
        createdBy: Type.Optional(Type.String({ maxLength: 200 })),
        template: Type.Optional(Text),
        tag: Type.Optional(Type.String({ maxLength: 100, description: 'Of the first version. Default: `initial`.' })),
        comment: Comment,
        headers,
        ...written,
      }),
      reply: Said,
      errors: ['invalid_request', 'not_found', 'too_large', 'too_many_requests'],
    }),
    clear: contract({
      ...common,
      method: 'DELETE',
      operationId: `delete${prefix}Templates`,
      path,
      summary: `Delete all templates of ${of}`,
      description: `Deletes them with all of their versions, for good.${end}`,
      params: Type.Object(params),
      reply: Type.Object({ message: Type.String() }),
      errors: ['not_found'],
    }),
  };
}

function oneContracts(place: PlaceName) {
  const { path, params, prefix, of, end } = PLACED[place];
  const one = Type.Object({ ...params, ...name });
  return {
    get: contract({
      ...common,
      method: 'GET',
      operationId: `get${prefix}Template`,
      path: `${path}/{template_name}`,
      summary: `Get a template of ${of}`,
      description: `With \`active=yes\` the answer has its active version, if there is one.${end}`,
      params: one,
      query: Type.Object({ active: active('Whether the active version is shown, too.') }),
      reply: Type.Object({ template: Template }),
      errors: ['invalid_request', 'not_found'],
    }),
    update: contract({
      ...common,
      method: 'PUT',
      operationId: `update${prefix}Template`,
      path: `${path}/{template_name}`,
      summary: `Describe a template of ${of}`,
      description: `Its description is all that can be changed; its texts are in its versions.${end}`,
      params: one,
      sample: { description: 'Greets who is new' },
      body: Type.Object({ description: Description }),
      reply: Changed,
      errors: ['invalid_request', 'not_found'],
    }),
    remove: contract({
      ...common,
      method: 'DELETE',
      operationId: `delete${prefix}Template`,
      path: `${path}/{template_name}`,
      summary: `Delete a template of ${of}`,
      description: `Deletes it with all of its versions, for good. Messages that were made from it stay as they are.${end}`,
      params: one,
      reply: Changed,
      errors: ['not_found'],
    }),
  };
}

/** Versions of a template. */
export function versionContracts(place: PlaceName) {
  return { ...versionListContracts(place), ...versionChangeContracts(place) };
}

function versionListContracts(place: PlaceName) {
  const { params, prefix, of, path: base } = PLACED[place];
  const path = `${base}/{template_name}/versions`;
  const one = Type.Object({ ...params, ...name, ...tag });
  return {
    list: contract({
      ...common,
      method: 'GET',
      operationId: `list${prefix}TemplateVersions`,
      path,
      summary: `List the versions of a template of ${of}`,
      description: 'By tag, without their texts.',
      params: Type.Object({ ...params, ...name }),
      query: paged,
      reply: Type.Object({ template: Listed, paging: EndlessPaging }),
      errors: ['invalid_request', 'not_found'],
    }),
    create: contract({
      ...common,
      method: 'POST',
      operationId: `create${prefix}TemplateVersion`,
      path,
      summary: `Add a version to a template of ${of}`,
      description: `At most ${VERSIONS_MAX}. The first version is the active one; another is with \`active=yes\`.`,
      params: Type.Object({ ...params, ...name }),
      sample: { tag: 'second', template: '<p>Welcome {{name}}</p>', active: 'yes' },
      body: Type.Object({
        template: Type.Optional(Text),
        tag: Type.String({ ...NAME, maxLength: 100 }),
        comment: Comment,
        active: active('`yes`: it is used where no version is named.'),
        headers,
        ...written,
      }),
      reply: Said,
      errors: ['invalid_request', 'not_found', 'too_large'],
    }),
    get: contract({
      ...common,
      method: 'GET',
      operationId: `get${prefix}TemplateVersion`,
      path: `${path}/{version_name}`,
      summary: `Get a version of a template of ${of}`,
      description: 'With its text and its header fields.',
      params: one,
      reply: Type.Object({ template: Template }),
      errors: ['not_found'],
    }),
  };
}

function versionChangeContracts(place: PlaceName) {
  const { params, prefix, of, path: base } = PLACED[place];
  const path = `${base}/{template_name}/versions`;
  const one = Type.Object({ ...params, ...name, ...tag });
  return {
    update: contract({
      ...common,
      method: 'PUT',
      operationId: `update${prefix}TemplateVersion`,
      path: `${path}/{version_name}`,
      summary: `Change a version of a template of ${of}`,
      description:
        'What is not given stays. `template` takes the place of its MJML, and `mjml` that of its HTML. Messages that ' +
        'were made from it stay as they are.',
      params: one,
      sample: { template: '<p>Good morning {{name}}</p>' },
      body: Type.Object({
        template: Type.Optional(Text),
        comment: Comment,
        active: active('`yes` makes it the active one. `no` is refused for the active one: make another one active.'),
        headers,
        ...written,
      }),
      reply: Changed,
      errors: ['invalid_request', 'not_found', 'too_large'],
    }),
    remove: contract({
      ...common,
      method: 'DELETE',
      operationId: `delete${prefix}TemplateVersion`,
      path: `${path}/{version_name}`,
      summary: `Delete a version of a template of ${of}`,
      description: 'Of a template without an active version, messages have to name the version.',
      params: one,
      reply: Changed,
      errors: ['not_found'],
    }),
    copy: contract({
      ...common,
      method: 'PUT',
      operationId: `create${prefix}TemplateVersionCopy`,
      path: `${path}/{version_name}/copy/{new_version_name}`,
      summary: `Copy a version of a template of ${of}`,
      description:
        'The copy is a version that is not active. `version` and `template` of the answer are both the copy.',
      params: Type.Object({ ...params, ...name, ...tag, new_version_name: Type.String({ ...NAME, maxLength: 100 }) }),
      query: Type.Object({ comment: Comment }),
      reply: Type.Object({ message: Type.String(), version: Version, template: Version }),
      errors: ['invalid_request', 'not_found'],
    }),
  };
}

/** What a template becomes, before it is kept. */
export const renderContract = contract({
  ...common,
  method: 'POST',
  operationId: 'testTemplate',
  path: '/v1/galley/templates/render',
  summary: 'Fill a template',
  description:
    'Fills a text and header fields with variables, as a message is made from them. They need not be stored, and ' +
    'nothing is kept. A name without a value becomes nothing, and is listed in `missing`.',
  sample: { template: '<p>Hello {{name}}</p>', headers: { Subject: 'For {{name}}' }, variables: { name: 'Ada' } },
  body: Type.Object({
    template: Type.Optional(Text),
    headers,
    ...written,
    variables: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Values by name.' })),
  }),
  reply: Type.Object({
    html: Type.String(),
    headers: Type.Record(Type.String(), Type.String()),
    missing: Type.Array(Type.String(), { description: 'Names without a value; at most 100.' }),
    warnings,
  }),
  errors: ['invalid_request', 'too_large'],
});
