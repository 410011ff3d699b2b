import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

/** How much of what is published about a client its pictures show. */
export const PublishedBehaviors = Type.Union(
  [
    Type.Object({
      family: Type.String(),
      published: Type.Integer(),
      reproduced: Type.Integer(),
      measured: Type.String({ format: 'date' }),
    }),
    Type.Null(),
  ],
  {
    description:
      'Behaviors of the client that are published elsewhere, and how many of them its pictures reproduce; ' +
      'null where none were measured.',
  },
);

export const Client = Type.Object(
  {
    id: Type.String(),
    client: Type.String(),
    os: Type.String(),
    category: Type.String({ description: '`Application`, `Mobile` or `Web`.' }),
    browser: Type.String({ description: 'The browser of a webmail client; otherwise empty.' }),
    rotate: Type.Boolean({ description: 'Previews can also show the client in landscape.' }),
    imageblocking: Type.Boolean({ description: 'Can be shown with images blocked.' }),
    image_blocking: Type.Boolean(),
    free: Type.Boolean(),
    default: Type.Boolean({ description: 'A test that names no clients uses this client.' }),
    extension: Type.String(),
    ext: Type.String(),
    display_name: Type.String(),
    version: Type.String(),
    family: Type.String(),
    color_scheme: Type.Enum(['light', 'dark']),
    dark_mode: Type.Enum(['none', 'authored', 'partial', 'full'], {
      description: 'What the client does to colors in dark mode.',
    }),
    viewport: Type.Object({ width: Type.Integer(), height: Type.Integer(), pixel_ratio: Type.Number() }),
    screen_pixel_ratio: Type.Number({
      description:
        'Pixels of the screen for each CSS pixel. Screenshots of whole messages have `viewport.pixel_ratio`; of phones ' +
        'and tablets the parts of `pictures.….sharp` have this.',
    }),
    fidelity: Type.Enum(['real', 'engine', 'emulated'], {
      description: 'How its screenshots are made in this deployment.',
    }),
    engine: Type.String({ description: 'The engine used in this deployment.' }),
    engine_version: Type.String(),
    wanted_engine: Type.String({ description: 'The preferred engine, used if it is installed.' }),
    published_behaviors: PublishedBehaviors,
    sources: Type.Array(Type.Object({ what: Type.String(), url: Type.String(), date: Type.String() }), {
      description: 'Where the facts about the client come from.',
    }),
  },
  { title: 'PreviewClient' },
);

export const listClients = contract({
  method: 'GET',
  operationId: 'listPreviewClients',
  path: '/v1/preview/tests/clients',
  summary: 'List the email clients that previews can show',
  description: 'Keyed by the ids that `clients` of a preview test takes.',
  tag: 'Email preview',
  errorShape: 'preview',
  product: 'email_preview',
  reply: Type.Object({ clients: Type.Record(Type.String(), Client) }),
});
