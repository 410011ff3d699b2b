import { Type } from 'typebox';
import { LINKS_MAX } from '../../../engines/links/index.ts';
import { contract } from '../../../platform/http/index.ts';
import { countedFields, skipFields } from '../../../platform/paging/index.ts';
import { BODY_BYTES_MAX, Nullable, SourceBody } from '../_message/index.ts';
import { Deleted, Started } from '../_inspections/index.ts';

export { LINKS_MAX };
const URL_LENGTH_MAX = 8_192;
/**
 * A spreadsheet can have 10 MB. The body limit is a little higher, so that a larger file gets an error that names it.
 */
const UPLOAD_BODY_BYTES_MAX = 16 * 1024 * 1024;

const Finding = Type.Object(
  {
    id: Type.String(),
    rule: Type.String(),
    description: Type.String(),
    impact: Type.Optional(Type.Enum(['critical', 'serious', 'moderate', 'minor'])),
    recommendation: Type.Optional(Type.String()),
    details: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description:
        'Of `redirects`: every hop with the times of DNS, connecting, TLS and first byte. Of `certificate`: ' +
        'subject, issuer, names, dates. Of `reachable`: status, type and length.',
    }),
  },
  { title: 'LinkFinding' },
);

const Place = {
  line: Type.Optional(Type.Integer({ minimum: 0 })),
  column: Type.Optional(Type.Integer({ minimum: 0 })),
  selector: Type.Optional(Type.String({ maxLength: 2_000 })),
  absolute_index: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Characters from the start of the HTML, from 0.' }),
  ),
};

const linkFields = {
  url: Type.String(),
  status: Type.Enum(['pass', 'warning', 'Error'], {
    description: '`Error`: something is broken. `warning`: it works, with a risk.',
  }),
  status_code: Type.Optional(Type.Integer({ description: 'Status of the last answer; omitted if there was none.' })),
  ...Place,
  text: Type.Optional(Type.String({ description: 'The text of the link, or the alternative text of its image.' })),
  final_url: Type.Optional(Type.String()),
};

const LinkResult = Type.Object(
  { ...linkFields, passes: Type.Array(Finding), failures: Type.Array(Finding), informational: Type.Array(Finding) },
  { title: 'LinkResult' },
);

const DetailsLeftOut = Type.Optional(
  Type.Literal(true, { description: 'The details are not empty: they are in the test itself.' }),
);

/** A link as lists show it; the test itself shows the rest. */
const BriefLinkResult = Type.Object(
  {
    ...linkFields,
    failures: Type.Array(Type.Object({ ...Finding.properties, details_left_out: DetailsLeftOut })),
  },
  { title: 'BriefLinkResult' },
);

const NOTICE = 'What was not checked because a limit was reached; omitted if everything was checked.';

const Links = Type.Object({ self: Type.String() });
const Meta = Type.Object({
  status: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
  count: Type.Optional(Type.Integer({ description: 'Number of links in the result; each occurrence counts.' })),
  notice: Type.Optional(Type.String({ description: NOTICE })),
  error: Type.Optional(Type.String()),
});

export const TAG = 'Links';
const common = { tag: TAG, errorShape: 'message' } as const;
export const PATH = '/v1/inspect/links';
const Named = Type.Object({ id: Type.String() });

export const createTest = contract({
  ...common,
  method: 'POST',
  operationId: 'createLinkTest',
  path: PATH,
  summary: 'Check links by their addresses',
  description: `At most ${LINKS_MAX.toLocaleString('en')} links in both lists together.`,
  body: Type.Object({
    links: Type.Optional(Nullable(Type.Array(Type.String({ maxLength: URL_LENGTH_MAX }), { maxItems: LINKS_MAX }))),
    linksWithPositions: Type.Optional(
      Nullable(
        Type.Array(
          Type.Object({
            url: Type.String({ maxLength: URL_LENGTH_MAX }),
            ...Place,
            text: Type.Optional(Type.String({ maxLength: 1_000 })),
          }),
          { maxItems: LINKS_MAX },
        ),
      ),
    ),
    userAgent: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 500,
          description: 'The user agent that the sites see instead of the name of this service.',
        }),
      ),
    ),
  }),
  sample: { links: ['https://example.com/'] },
  bodyBytesMax: 20 * 1024 * 1024,
  reply: Started,
  errors: ['invalid_request', 'too_large'],
});

export const createTestFromHtml = contract({
  ...common,
  method: 'POST',
  operationId: 'createLinkTestFromHtml',
  path: `${PATH}/html-validate`,
  summary: 'Check the links of an email',
  description:
    `At most ${LINKS_MAX.toLocaleString('en')} links; where there are more, \`meta.notice\` says so. ` +
    'An unsubscribe link gets one HEAD request, and no redirect is followed.',
  body: SourceBody,
  bodyBytesMax: BODY_BYTES_MAX,
  reply: Started,
  errors: ['invalid_request', 'source_unreachable', 'too_large'],
});

export const listTests = contract({
  ...common,
  method: 'GET',
  operationId: 'listLinkTests',
  path: PATH,
  summary: 'List link tests, newest first',
  description:
    'Of each test at most fifty links, broken ones first, with their failures; details are left out beyond eight ' +
    'thousand characters a test. Everything else is in the test itself.',
  query: Type.Object({
    ...skipFields(),
    status: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'Status of the test (`Processing`, `Complete`, `Failed`) or of one of its links (`pass`, `warning`, ' +
          '`Error`).',
      }),
    ),
    id: Type.Optional(Type.String({ maxLength: 200 })),
    url: Type.Optional(
      Type.String({ maxLength: URL_LENGTH_MAX, description: 'Tests with a link whose address contains this.' }),
    ),
    isExpiredSSL: Type.Optional(
      Type.Enum(['true', 'false'], {
        description: 'Whether to list tests with a link whose certificate has expired, or tests without such a link.',
      }),
    ),
    statusCode: Type.Optional(
      Type.Integer({ minimum: 100, maximum: 999, description: 'Tests with a link that was answered with this.' }),
    ),
  }),
  reply: Type.Object({
    ...countedFields,
    items: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String({ description: 'Never empty.' }),
        links: Links,
        status: Type.String(),
        created_at: Type.String(),
        link_count: Type.Integer(),
        error_count: Type.Integer(),
        warning_count: Type.Integer(),
        notice: Type.Optional(Type.String({ description: NOTICE })),
        results: Type.Array(BriefLinkResult),
      }),
    ),
  }),
  errors: ['invalid_request'],
});

export const getTest = contract({
  ...common,
  method: 'GET',
  operationId: 'getLinkTest',
  isPolled: true,
  path: `${PATH}/{id}`,
  summary: 'Get a link test',
  description: 'While it runs, the answer carries `Retry-After`: ask again after that many seconds.',
  params: Named,
  reply: Type.Object({
    meta: Meta,
    items: Type.Object({ id: Type.String(), links: Links, results: Type.Array(LinkResult) }),
  }),
  errors: ['not_found'],
});

export const reprocessTest = contract({
  ...common,
  method: 'POST',
  operationId: 'reprocessLinkTest',
  path: `${PATH}/{id}`,
  summary: 'Check the links of a test again',
  description: 'The test keeps its id.',
  params: Named,
  reply: Started,
  errors: ['not_found'],
});

export const deleteTest = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteLinkTest',
  path: `${PATH}/{id}`,
  summary: 'Delete a link test',
  description: 'The test and its result are deleted. This cannot be undone.',
  params: Named,
  reply: Deleted,
  errors: ['not_found'],
});

export const compareTest = contract({
  ...common,
  method: 'POST',
  operationId: 'compareLinkTest',
  unaudited: 'it only compares.',
  fileField: 'csv',
  isFormOnly: true,
  path: `${PATH}/{id}/csv`,
  summary: 'Compare a link test with a spreadsheet of expected links',
  description:
    'CSV, XLS or XLSX, at most 10 MB; the first sheet counts. Its first row may name the columns: ' +
    '`URL`, `Link text`, `Status`, `Final URL`. Row 0 holds links that are missing from the file.',
  params: Named,
  body: Type.Object({
    csv: Type.Unknown({ contentMediaType: 'text/csv', description: 'The file, in a multipart body.' }),
  }),
  bodyBytesMax: UPLOAD_BODY_BYTES_MAX,
  reply: Type.Object({
    meta: Type.Object({ status: Type.String() }),
    items: Type.Object({
      valid: Type.Boolean(),
      errors: Type.Array(
        Type.Object({
          row: Type.Integer(),
          message: Type.String(),
          alert: Type.Object({
            type: Type.Enum(['missing', 'other_url', 'unexpected', 'status', 'final_url', 'text', 'more']),
            expected: Nullable(Type.String()),
            actual: Nullable(Type.String()),
            line: Type.Optional(Type.Integer()),
          }),
        }),
      ),
    }),
  }),
  errors: ['invalid_request', 'not_found', 'conflict', 'too_large'],
});
