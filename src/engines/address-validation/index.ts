// What is known of an email address: whether it is written as one, what public lists say of it, what was probably
// meant, and what follows from that and from what DNS, a server or an account's own mail say.
export {
  judge,
  REASONS,
  RESULTS,
  RISKS,
  type DnsFinding,
  type Judgment,
  type KnownFacts,
  type OwnHistory,
  type ProbeFinding,
  type Result,
  type Risk,
} from './judge.ts';
export { DISPOSABLE_DATE, isDisposable, isRole, ROLES_DATE } from './lists.ts';
export { rootOf } from './root.ts';
export { suggestDomain } from './suggest.ts';
export { readMailbox, type Mailbox } from './syntax.ts';
