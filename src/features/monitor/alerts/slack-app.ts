// The operator's Slack app: an account installs it into its workspace by OAuth (https://docs.slack.dev/authentication/
// installing-with-oauth), and takes it out again. Tested against an imitation of the documented interface only.
import { createHash } from 'node:crypto';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { randomHex } from '../../../platform/ids/index.ts';
import { findAccountSettings, saveAccountSettings } from './settings-store.ts';
import { faultOf, openSlackToken, sealSlackToken, type SlackDoors } from './slack.ts';
import { beginInstall, takeInstall } from './slack-store.ts';

type Doors = SlackDoors & Pick<Context, 'principal' | 'baseUrl'>;

/** What the app may do: post, also in public channels that it is not in, and list channels. */
const SCOPES = 'chat:write,chat:write.public,channels:read,groups:read';
const STATE_BYTES = 24;
const LIFE_MS = 600_000;
const ANSWER_BYTES_MAX = 100_000;
const NO_APP =
  'The operator of this Galley has set up no Slack app (GALLEY_SLACK_CLIENT_ID, GALLEY_SLACK_CLIENT_SECRET). Save the ' +
  'bot token of an app of your own with PUT /v1/alerts/settings/slack, or give an incoming webhook.';

const hashOf = (state: string): string => createHash('sha256').update(state).digest('hex');

/** Who began an installation has to end it. */
const callerOf = ({ sessionId, keyId, userId }: Doors['principal']): string =>
  sessionId === undefined ? `key ${keyId ?? userId ?? ''}` : `session ${sessionId}`;

/** Throws `conflict` where the operator has none. */
function appOf({ config }: Doors) {
  if (!config.slack.app) throw new AppError('conflict', NO_APP);
  return config.slack.app;
}

/** Where Slack sends people back to. */
const redirectOf = ({ config, baseUrl }: Doors): string => `${config.publicUrl || baseUrl}/alerts/slack`;

/** Whether there is an app, and where it sends people back to. */
export const describeApp = (doors: Doors) => ({
  configured: doors.config.slack.app !== undefined,
  redirect_uri: redirectOf(doors),
  message: doors.config.slack.app ? 'Slack can be connected by the app of this Galley’s operator.' : NO_APP,
});

/** The address at Slack at which somebody allows the app. Throws `conflict`. */
export async function startInstall(doors: Doors): Promise<{ url: string; expires_at: string }> {
  const { clientId } = appOf(doors);
  const { config, db, clock, principal } = doors;
  const state = randomHex(STATE_BYTES);
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + LIFE_MS);
  const redirectUri = redirectOf(doors);
  await db.tx(async (tx) => {
    await tx.lock(`alerts.slack ${principal.accountId}`);
    const begunBy = callerOf(principal);
    await beginInstall(tx, principal.accountId, {
      stateHash: hashOf(state),
      begunBy,
      redirectUri,
      createdAt: now,
      expiresAt,
    });
  });
  const query = new URLSearchParams({ client_id: clientId, scope: SCOPES, redirect_uri: redirectUri, state });
  const site = config.slack.api.replace(/\/api$/, '');
  return { url: `${site}/oauth/v2/authorize?${query}`, expires_at: expiresAt.toISOString() };
}

/** Posts to Slack; undefined where there was no answer that can be read. */
async function post(
  { config, fetch }: Doors,
  method: string,
  { form, authorization }: { form: Record<string, string>; authorization: string },
): Promise<{ text: string; answer: Record<string, unknown> } | undefined> {
  const url = `${config.slack.api}/${method}`;
  const outcome = await fetch.request(url, {
    method: 'POST',
    form: new URLSearchParams(form).toString(),
    headers: { authorization },
    sizeBytesMax: ANSWER_BYTES_MAX,
    mayFollow: (next) => next === url,
  });
  if (!outcome.ok || outcome.status !== 200) return undefined;
  const text = outcome.body.toString('utf8');
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null
      ? { text, answer: answer as Record<string, unknown> }
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const textOr = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, 500) : null;

/** The token of what Slack answered. Throws `invalid_request`. */
function tokenIn(answered: Awaited<ReturnType<typeof post>>) {
  if (!answered) throw new AppError('invalid_request', 'Slack could not be asked, or did not answer in its way.');
  const { text, answer } = answered;
  if (answer['ok'] !== true) throw invalid('code', `was refused by Slack: ${faultOf(text)}.`);
  const { access_token: token, scope, team, expires_in: expiresIn } = answer;
  if (typeof token !== 'string' || !/^xox[a-z]?-[\w-]{10,400}$/.test(token))
    throw invalid('code', 'gave no bot token: the Slack app must ask for bot scopes.');
  if (expiresIn !== undefined)
    throw invalid('code', 'gave a token that expires: switch token rotation off in the settings of the Slack app.');
  const { id, name } = (team ?? {}) as Record<string, unknown>;
  return { token, team: { id: textOr(id), name: textOr(name), scope: textOr(scope), isInstalled: true } };
}

/** Ends an installation with what Slack sent back. Throws `invalid_request`, `conflict`. */
export async function finishInstall(doors: Doors, { code, state }: { code: string; state: string }) {
  const { clientId, clientSecret } = appOf(doors);
  const { db, clock, principal } = doors;
  const install = await takeInstall(db, principal.accountId, {
    stateHash: hashOf(state),
    begunBy: callerOf(principal),
  });
  if (!install) throw invalid('state', 'is not that of an installation that this session began, or was used before.');
  if (install.expiresAt <= clock.now()) throw invalid('state', 'has expired after ten minutes; begin again.');
  const answered = await post(doors, 'oauth.v2.access', {
    form: { code, redirect_uri: install.redirectUri },
    authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
  });
  const { token, team } = tokenIn(answered);
  await saveAccountSettings(db, principal.accountId, {
    slackToken: sealSlackToken(doors, principal.accountId, token),
    slackTeam: team,
  });
  return team;
}

/**
 * Deletes the token; one that was got by installing the app is revoked at Slack first. Answers in a sentence what
 * became of it.
 */
export async function disconnect(doors: Doors): Promise<string> {
  const { db, principal } = doors;
  const isInstalled = (await findAccountSettings(db, principal.accountId))?.slackTeam?.isInstalled === true;
  const token = isInstalled ? await openSlackToken(doors, principal.accountId) : undefined;
  await saveAccountSettings(db, principal.accountId, { slackToken: null, slackTeam: null });
  if (token === undefined) return 'Slack token has been deleted';
  const answered = await post(doors, 'auth.revoke', { form: {}, authorization: `Bearer ${token}` });
  if (answered?.answer['ok'] === true) return 'Slack token has been revoked and deleted';
  const reason = answered ? `Slack said ${faultOf(answered.text)}` : 'there was no answer';
  return `Slack token has been deleted here, but not revoked (${reason}); remove the app in the workspace`;
}
