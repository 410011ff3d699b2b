import { Type, type TSchema } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';

const common = {
  tag: 'Tracking',
  errorShape: 'message',
  rights: 'domains',
  params: Type.Object({ name: Type.String({ description: 'A sending domain of the account.' }) }),
} as const;

const Click = Type.Object({
  active: Type.Union([Type.Boolean(), Type.Literal('htmlonly')], {
    description: '`htmlonly`: links in plain text are left as they are.',
  }),
});
const Open = Type.Object({
  active: Type.Boolean(),
  place_at_the_top: Type.Boolean({ description: 'The image stands before the text, not behind it.' }),
});
const Unsubscribe = Type.Object({
  active: Type.Boolean(),
  html_footer: Type.String(),
  text_footer: Type.String(),
});
const message = Type.String();
const notes = Type.Array(Type.String(), {
  description: 'What keeps these settings from having an effect now, each a sentence; empty when nothing does.',
});

const field = (description: string, schema: TSchema) => Type.Optional(readByItself({ ...schema, description }));
const flag = (description: string, ...more: string[]) =>
  field(description, Type.Enum(['yes', 'no', 'true', 'false', ...more]));

const text = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const Links = Type.Object(
  {
    start_with: text('What starts tracked links now; null where the service has no address (`GALLEY_PUBLIC_URL`).'),
    host: text('The own host of the domain: `web_prefix` before its name; null where it can have none.'),
    host_target: text('Where the CNAME record of that host is to lead.'),
    is_host_used: Type.Boolean({ description: 'Whether DNS led there when the domain was last looked at.' }),
  },
  { title: 'TrackingLinks' },
);

const HOLDS =
  'Holds for messages that are accepted from then on and leave, where the service has an address that readers reach ' +
  '(`GALLEY_PUBLIC_URL`). Options of a message (`o:tracking`, `o:tracking-clicks`, `o:tracking-opens`) go before it.';

export const getTracking = contract({
  ...common,
  method: 'GET',
  operationId: 'getDomainTracking',
  path: '/v3/domains/{name}/tracking',
  summary: 'Get what is tracked of the mail of a domain',
  description:
    'Clicks, opens and the footer with which readers unsubscribe. A new domain tracks nothing. Links lead by way of the ' +
    'own host of the domain once its CNAME record is seen, which `PUT /v4/domains/{name}/verify` looks for at once ' +
    'and the service hourly; before, by way of the service’s own host. Such a host answers for links of its domain alone.',
  reply: Type.Object({
    tracking: Type.Object({
      open: Open,
      click: Click,
      unsubscribe: Unsubscribe,
      web_scheme: Type.Enum(['http', 'https'], { description: 'Of links on a host of the domain.' }),
      links: Links,
      notes,
    }),
  }),
  errors: ['not_found'],
});

export const putClick = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateClickTracking',
  path: '/v3/domains/{name}/tracking/click',
  summary: 'Set whether clicks are tracked',
  description:
    'Links of HTML and of plain text lead by way of the service, which tells of each click as an event. Left as they ' +
    'are: links to unsubscribe, those with the attribute `disable-tracking`, those in comments and in AMP, addresses ' +
    `of more than 1,000 bytes, and what is not http or https. ${HOLDS}`,
  sample: { active: 'yes' },
  body: Type.Object({ active: flag('`htmlonly`: links in plain text are left as they are.', 'htmlonly') }),
  reply: Type.Object({ message, click: Click, notes }),
  errors: ['invalid_request', 'not_found'],
});

export const putOpen = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateOpenTracking',
  path: '/v3/domains/{name}/tracking/open',
  summary: 'Set whether opens are tracked',
  description: `An image of one pixel in the HTML is loaded from the service, which tells of it as an event. ${HOLDS}`,
  sample: { active: 'yes', place_at_the_top: 'no' },
  body: Type.Object({
    active: flag('Whether opens are tracked.'),
    place_at_the_top: flag('Whether the image stands before the text: clients that cut long mail still load it.'),
  }),
  reply: Type.Object({ message, open: Open, notes }),
  errors: ['invalid_request', 'not_found'],
});

const PREFIX = Type.String({
  description: 'One label of a host name: lower-case letters, digits and hyphens, 63 at most.',
});
const SCHEME = Type.String({
  description: '`http` or `https`, which needs a certificate of this host where the connections of readers end.',
});
const Host = { web_prefix: Type.Optional(readByItself(PREFIX)), web_scheme: Type.Optional(readByItself(SCHEME)) };

export const putWebPrefix = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateWebPrefix',
  path: '/v3/domains/{name}/web_prefix',
  summary: 'Give the host of tracked links of a domain another name or scheme',
  description:
    'The host is `web_prefix` before the name of the domain. Links of messages that leave from then on have it once ' +
    'its CNAME record is seen, which `PUT /v4/domains/{name}/verify` looks for at once; until then they start with ' +
    'the service’s own host. Links that have left keep their host, which works as long as its record stays in DNS. ' +
    'Send the fields in the query or in the body; what is not given stays.',
  query: Type.Object(Host),
  sample: { web_prefix: 'links' },
  body: Type.Object(Host),
  isBodyOptional: true,
  reply: Type.Object({ message, web_prefix: Type.String(), web_scheme: Type.Enum(['http', 'https']), links: Links }),
  errors: ['invalid_request', 'not_found'],
});

export const putUnsubscribe = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateUnsubscribeTracking',
  path: '/v3/domains/{name}/tracking/unsubscribe',
  summary: 'Set the footer with which readers unsubscribe',
  description:
    'A footer stands below the first HTML and the first plain text of a message, not in AMP, where they have no link ' +
    'to unsubscribe themselves (`%unsubscribe_url%`, `%tag_unsubscribe_url%`); both of these work in footers, and such ' +
    'messages get the fields `List-Unsubscribe` and `List-Unsubscribe-Post`. Holds for messages that are accepted from ' +
    'then on, also for those that stay here. A message goes without by `o:tracking=no`. Where the service has no ' +
    'address that readers reach (`GALLEY_PUBLIC_URL`), a message that would leave with such a link is refused.',
  sample: { active: 'yes', html_footer: '<p><a href="%unsubscribe_url%">Unsubscribe</a></p>' },
  body: Type.Object({
    active: flag('Whether the footers are put under messages.'),
    html_footer: field('HTML as it is put in; at most 10,000 characters. Empty: none.', Type.String()),
    text_footer: field('The same in plain text.', Type.String()),
  }),
  reply: Type.Object({ message, unsubscribe: Unsubscribe, notes }),
  errors: ['invalid_request', 'not_found'],
});
