import { Type, type TSchema } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { skipFields } from '../../../platform/paging/index.ts';

/** NIST SP 800-63B asks for 8 at least, and no rules about letters and digits. */
export const PASSWORD_LENGTH_MIN = 10;
const PASSWORD_LENGTH_MAX = 200;

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const NullText = Nullable(Type.String());
const Anything = Type.Object({}, { additionalProperties: true });

/** Of users; keys have `sending` in place of `billing`. */
export const USER_ROLES = ['basic', 'billing', 'support', 'developer', 'admin'] as const;
const Role = Type.Enum([...USER_ROLES], {
  description:
    '`admin` may do everything, `developer` all but users, keys and subaccounts, `support` may read, `basic` may read ' +
    'figures. Galley sends no bills: `billing` may do what `basic` may.',
});

export const User = Type.Object(
  {
    id: Type.String(),
    activated: Type.Boolean({ description: 'Whether the user has accepted the invitation or signed in.' }),
    name: Type.String(),
    is_disabled: Type.Boolean(),
    email: Type.String(),
    email_details: Type.Object({
      address: Type.String(),
      is_valid: Type.Boolean(),
      reason: Type.String(),
      parts: Type.Object({ domain: Type.String(), local_part: Type.String(), display_name: Type.String() }),
    }),
    role: Role,
    account_id: Type.String(),
    opened_ip: Type.String({ description: 'From where the invitation was accepted.' }),
    is_master: Type.Boolean({ description: 'Whether this was the first user of the account.' }),
    metadata: Anything,
    tfa_enabled: Type.Boolean({ description: 'Whether signing in by password asks for a code, too.' }),
    tfa_active: Type.Boolean(),
    tfa_created_at: NullText,
    password_updated_at: NullText,
    preferences: Type.Object({
      time_zone: Type.String(),
      time_format: Type.String(),
      programming_language: Type.String(),
    }),
    auth: Type.Object({ method: Type.String(), prior_method: Type.String(), prior_details: Anything }),
    github_user_id: NullText,
    salesforce_user_id: NullText,
    migration_status: Type.String(),
  },
  { title: 'User' },
);

/** What is Galley's own stands under `sign_in`: existing clients know nothing of it. */
const ListedUser = Type.Evaluate(
  Type.Intersect([
    User,
    Type.Object({
      sign_in: Type.Object({
        created_at: Type.String({ description: 'ISO 8601.' }),
        last_sign_in_at: NullText,
        last_sign_in_by: Nullable(Type.String({ description: '`password`, `passkey` or `sso`.' })),
        has_password: Type.Boolean(),
        invitation_expires_at: Nullable(Type.String({ description: 'ISO 8601; null where no invitation is open.' })),
        mail_problem: Nullable(Type.String({ description: 'Why the last email to the user was not delivered.' })),
      }),
    }),
  ]),
);

const Name = Type.String({ maxLength: 200 });
const Named = Type.Object({ user_id: Type.String() });
export const Password = Type.String({
  maxLength: PASSWORD_LENGTH_MAX,
  description: `At least ${PASSWORD_LENGTH_MIN} characters.`,
});
export const Message = Type.Object({ message: Type.String() });
const Invitation = Type.Object({
  url: Type.String({ description: 'The link of the invitation. Only this answer and the email have it.' }),
  expires_at: Type.String({ description: 'ISO 8601.' }),
});
export const shape = { tag: 'Users', errorShape: 'message', rights: 'ownSession' } as const;
const common = { ...shape, rights: 'users' } as const;

export const listUsers = contract({
  ...common,
  method: 'GET',
  operationId: 'listUsers',
  path: '/v5/users',
  summary: 'List users',
  description: 'Lists the users of the account, the first one first. Pages by `limit` and `skip`.',
  query: Type.Object({ role: Type.Optional(Role), ...skipFields({ limit: 100 }) }),
  reply: Type.Object({ users: Type.Array(ListedUser), total: Type.Integer() }),
  errors: ['invalid_request'],
});

export const getUser = contract({
  ...common,
  method: 'GET',
  operationId: 'getUser',
  path: '/v5/users/{user_id}',
  summary: 'Get a user',
  description: 'One of the account, invited or active. Users of other accounts are not found.',
  params: Named,
  reply: User,
  errors: ['not_found'],
});

export const getOwnUser = contract({
  ...shape,
  method: 'GET',
  operationId: 'getOwnUser',
  path: '/v5/users/me',
  summary: 'Get the user who makes the call',
  description: 'For users who signed in, and for keys whose `user_id` names a user. 403 for keys that are nobody’s.',
  reply: User,
  rights: 'ownUser',
});

export const inviteUser = contract({
  ...common,
  method: 'POST',
  operationId: 'inviteUser',
  path: '/v5/users',
  summary: 'Invite a user',
  description:
    'Sends an email with a link, with which the person chooses a password. The link works once, for seven days. An ' +
    'email address belongs to one user of the service.',
  body: Type.Object({
    email: Type.String({ maxLength: 320 }),
    name: Type.Optional(Name),
    role: Type.Optional(Role),
  }),
  sample: { email: 'ann@example.com', name: 'Ann', role: 'developer' },
  reply: Type.Object({ message: Type.String(), user: User, invitation: Invitation }),
  errors: ['invalid_request', 'conflict'],
});

export const inviteUserAgain = contract({
  ...common,
  method: 'POST',
  operationId: 'resendInvitation',
  path: '/v5/users/{user_id}/invitation',
  summary: 'Send an invitation again',
  description: 'Makes a new link; the one before it stops working. 409 for a user who has accepted.',
  params: Named,
  reply: Type.Object({ message: Type.String(), user: User, invitation: Invitation }),
  errors: ['not_found', 'conflict'],
});

export const updateUser = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateUser',
  path: '/v5/users/{user_id}',
  summary: 'Change the name or the role of a user, disable or enable a user',
  description:
    'A change holds at once. Disabling a user ends all of their sessions and links, and their keys are refused. 409 ' +
    'for disabling yourself, and for changing your own role.',
  params: Named,
  body: Type.Object({
    name: Type.Optional(Name),
    role: Type.Optional(Role),
    is_disabled: Type.Optional(Type.Boolean()),
  }),
  sample: { role: 'support' },
  reply: Type.Object({ message: Type.String(), user: User }),
  errors: ['invalid_request', 'not_found', 'conflict'],
});

export const deleteUser = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteUser',
  path: '/v5/users/{user_id}',
  summary: 'Delete a user',
  description: 'Ends all of their sessions and links; their keys are refused. 409 for deleting yourself.',
  params: Named,
  reply: Message,
  errors: ['not_found', 'conflict'],
});
