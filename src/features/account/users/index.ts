// Users: people who sign in. They are invited by email, have a role, and sign in in their own ways; sessions stand
// above, in features/account/sessions. An email address belongs to one user of the deployment.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import {
  userJoined,
  userLinked,
  userPasswordReset,
  userRoleFollowed,
  userSignedIn,
  userSignInFailed,
} from './facts.ts';
import { jobs } from './jobs.ts';
import { endSessionsOfUser } from './ports.ts';
import { endpoints } from './routes.ts';
import { selfEndpoints } from './self-routes.ts';

export { addUser, getUser, inviteByLink, recallUser } from './actions.ts';
export { USER_ROLES } from './contract.ts';
export {
  userJoined,
  userLinked,
  userPasswordReset,
  userRoleFollowed,
  userSignedIn,
  userSignInFailed,
} from './facts.ts';
export { findIdentity, hasIdentity, insertIdentity } from './identities.ts';
export { linkUrl } from './links.ts';
export { canReset, provePassword } from './passwords.ts';
export { endSessionsOfUser, waysOfUser } from './ports.ts';
export { getSignedIn } from './self.ts';
export { countUsers, findUser, findUserByEmail, listUsers, saveUser, type User, type UserRole } from './store.ts';
export { beginTry } from './throttle.ts';
export { toldOf } from './told.ts';
export { normalEmail } from './words.ts';

export default defineFeature({
  name: 'users',
  endpoints: [...endpoints, ...selfEndpoints],
  migrations: migrationsIn(import.meta.url),
  jobs,
  ports: [endSessionsOfUser],
  tells: [userSignedIn, userSignInFailed, userJoined, userPasswordReset, userLinked, userRoleFollowed],
});
