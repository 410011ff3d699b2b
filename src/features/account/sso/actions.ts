import { AppError } from '../../../platform/errors/index.ts';
import type { OidcConfig } from '../../../platform/config/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { newFlow, openProvider, type Claims, type Provider } from '../../../platform/oidc/index.ts';
import { admitFrom } from '../ip-allowlist/index.ts';
import { letIn, noteFailure, type BegunSession } from '../sessions/index.ts';
import { digestOf, flowCookie, flowOf, notBegunHere, safePath, type BegunFlow } from './flow.ts';
import { findPerson, roleFrom, type Person } from './people.ts';
import { linkPerson } from './linking.ts';
import { insertUse } from './store.ts';

type SsoDoors = Pick<
  Context,
  'config' | 'db' | 'clock' | 'facts' | 'fetch' | 'log' | 'secrets' | 'address' | 'headers' | 'baseUrl'
>;

/** Where the provider sends the browser back to; the operator tells it this address. */
const redirectUriOf = ({ baseUrl }: Pick<Context, 'baseUrl'>): string => `${baseUrl}/sign-in/sso`;

const providers = new WeakMap<object, Provider>();

function oidcOf({ config, db, fetch, clock }: Pick<Context, 'config' | 'db' | 'fetch' | 'clock'>) {
  const { oidc } = config;
  if (!oidc) throw new AppError('not_found', 'This service has no single sign-on: GALLEY_OIDC_ISSUER is not set.');
  const provider = providers.get(db) ?? openProvider(oidc, { fetch, clock });
  providers.set(db, provider);
  return { oidc, provider };
}

/** What the operator has to mend stands in the log, with its cause. */
async function noting<Result>({ log }: Pick<Context, 'log'>, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) log.warn({ err: error.cause ?? error }, `single sign-on: ${error.message}`);
    throw error;
  }
}

/** The provider's page, and the headers that bind what follows to the browser. Throws `unavailable`. */
export async function beginSignIn(
  ctx: SsoDoors,
  from: string | undefined,
): Promise<{ url: string; headers: Record<string, string> }> {
  const { provider } = oidcOf(ctx);
  const flow = newFlow();
  const url = await noting(ctx, () => provider.addressFor(flow, redirectUriOf(ctx)));
  return { url, headers: flowCookie(ctx, { ...flow, from: safePath(from) }) };
}

const wordsOfGroups = ({ name }: OidcConfig): string =>
  `the provider of ${name} does not count you to a group that has a role here. Its admin can change that.`;

/** Throws `forbidden` where the provider names somebody who may not come in, and notes that of known users. */
async function personOf(ctx: SsoDoors, oidc: OidcConfig, claims: Claims): Promise<Person> {
  const person = await findPerson(ctx, oidc, claims);
  const refusal = person.refusal ?? (roleFrom(oidc, claims) === null ? 'in no group that has a role here' : undefined);
  if (refusal === undefined) return person;
  if (person.user) await noteFailure(ctx, person.user, { by: 'sso', reason: refusal });
  throw new AppError('forbidden', `You cannot sign in: ${person.words ?? wordsOfGroups(oidc)}`);
}

/** Signs in whoever the provider vouches for. Throws `unauthorized`, `forbidden` or `unavailable`. */
export async function finishSignIn(
  ctx: SsoDoors,
  { answer, oldToken }: { answer: string; oldToken: string },
): Promise<{ session: BegunSession; from: string }> {
  const { oidc, provider } = oidcOf(ctx);
  const flow: BegunFlow = flowOf(ctx);
  const parameters = new URLSearchParams(answer);
  // Whoever sends a link with another state has not begun in this browser: what it says is not repeated.
  if (parameters.get('state') !== flow.state) throw notBegunHere();
  const claims = await noting(ctx, () => provider.redeem(parameters, { ...flow, redirectUri: redirectUriOf(ctx) }));
  const person = await personOf(ctx, oidc, claims);
  await admitFrom(ctx, { ownAccountId: person.accountId, address: ctx.address });
  const user = await linkPerson(ctx, person, {
    claims,
    oidc,
    use: async (tx) => {
      if (!(await insertUse(tx, digestOf(flow), new Date(flow.expiresAt)))) throw notBegunHere();
    },
  });
  return { session: await letIn(ctx, user, { by: 'sso', oldToken }), from: flow.from };
}
