import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

/** Of one list and one user. */
export const VIEWS_MAX = 20;
const SEARCH_LENGTH_MAX = 2000;

const List = Type.String({
  pattern: '^[a-z][a-z-]{0,39}$',
  description: 'The list that it is a view of: lower-case letters and hyphens, such as `emails` or `spam-tests`.',
});
const Search = Type.String({
  maxLength: SEARCH_LENGTH_MAX,
  description: 'The filters and the order, as the address of the list has them behind its question mark.',
});

const SavedView = Type.Object(
  {
    id: Type.String(),
    list: List,
    name: Type.String(),
    search: Search,
    created_at: Type.String({ description: 'RFC 3339, UTC.' }),
  },
  { title: 'SavedView' },
);

const common = { tag: 'Saved views', errorShape: 'message', rights: 'ownSession' } as const;
const PATH = '/v1/saved-views';

export const listSavedViews = contract({
  ...common,
  method: 'GET',
  operationId: 'listSavedViews',
  path: PATH,
  summary: 'List your saved views',
  description:
    'Those of the user who asks, in the order in which they were saved; of all lists, or of one. Whoever asks with a ' +
    'key that belongs to no user sees the views that were saved in that way.',
  query: Type.Object({ list: Type.Optional(List) }),
  reply: Type.Object({ items: Type.Array(SavedView) }),
  errors: ['invalid_request'],
});

export const createSavedView = contract({
  ...common,
  method: 'POST',
  operationId: 'createSavedView',
  path: PATH,
  summary: 'Save a view',
  description: `Gives filters and an order of a list a name. A list has at most ${VIEWS_MAX} views of a user; 409 where the name is taken.`,
  sample: { list: 'emails', name: 'Spring, by name', search: 'folder=Campaigns%2FSpring&sort=name' },
  body: Type.Object({
    list: List,
    name: Type.String({ minLength: 1, maxLength: 60, pattern: '\\S' }),
    search: Search,
  }),
  reply: SavedView,
  status: 201,
  errors: ['invalid_request', 'conflict'],
});

export const deleteSavedView = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteSavedView',
  path: `${PATH}/{saved_view_id}`,
  summary: 'Delete a saved view',
  description: 'One of the user who asks. What it showed stays.',
  params: Type.Object({ saved_view_id: Type.String() }),
  reply: Type.Object({ message: Type.String() }),
  errors: ['not_found'],
});
