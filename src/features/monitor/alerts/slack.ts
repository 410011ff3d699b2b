// Alerts to Slack: to an incoming webhook (which Mattermost and others take, too), or to channels with a bot token.
import type { Outside } from '../../../platform/feature/index.ts';
import { attempt, isSuccess, type Attempt } from '../../../platform/posting/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { EventData } from './outbox-store.ts';
import { findAccountSettings, saveAccountSettings, type ChannelSettings } from './settings-store.ts';

export type SlackDoors = Pick<Outside, 'config' | 'db' | 'secrets' | 'clock' | 'fetch'>;

const TEXT_MAX = 3000;
const ALERTS_MAX = 20;
const sealOf = (accountId: string): string => `alerts-slack:${accountId}`;

/** Slack reads `<`, `>` and `&` as its own signs. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The words of a message about these alerts. */
function slackText(alerts: readonly EventData[]): string {
  const lines = alerts.slice(0, ALERTS_MAX).map(({ message, fix, is_over: isOver }) => {
    const words = `${isOver ? ':white_check_mark: Over: ' : ':warning: '}${escaped(message)}`;
    return fix !== undefined && !isOver ? `${words}\n${escaped(fix)}` : words;
  });
  const left = alerts.length - lines.length;
  return [...lines, ...(left > 0 ? [`${left} more.`] : [])].join('\n').slice(0, TEXT_MAX);
}

/** The token that an account saved; undefined: none. */
export async function openSlackToken({ db, secrets }: Pick<SlackDoors, 'db' | 'secrets'>, accountId: string) {
  const sealed = (await findAccountSettings(db, accountId))?.slackToken;
  return sealed ? secrets.open(sealed, sealOf(accountId)) : undefined;
}

export const sealSlackToken = ({ secrets }: Pick<SlackDoors, 'secrets'>, accountId: string, token: string): string =>
  secrets.seal(token, sealOf(accountId));

interface Posting {
  accountId: string;
  settings: ChannelSettings;
  /** The URL, or the id of a channel. */
  target: string;
  alerts: readonly EventData[];
  signal?: AbortSignal;
}

/** Posts one message. Slack's API answers 200 for what it refuses, and says so in the body. */
export async function postToSlack(
  doors: SlackDoors,
  { accountId, settings, target, alerts, signal }: Posting,
): Promise<Attempt> {
  const text = slackText(alerts);
  const of = { purpose: 'alerts', ...(signal && { signal }) };
  if (settings.url !== undefined) return attempt(doors, { url: target, json: JSON.stringify({ text }), ...of });
  const token = await openSlackToken(doors, accountId);
  if (token === undefined) {
    const message = 'There is no Slack token; save one with PUT /v1/alerts/settings/slack.';
    return { at: doors.clock.now().toISOString(), code: null, message, tookMs: 0, answer: '' };
  }
  const json = JSON.stringify({ channel: target, text });
  const headers = { authorization: `Bearer ${token}` };
  const made = await attempt(doors, { url: `${doors.config.slack.api}/chat.postMessage`, json, headers, ...of });
  if (!isSuccess(made.code) || /^\s*\{\s*"ok"\s*:\s*true/.test(made.answer)) return made;
  return { ...made, code: 400, message: `Slack refused the message: ${faultOf(made.answer)}.` };
}

/** Why Slack refused, by the text of its answer. */
export const faultOf = (answer: string): string =>
  /"error"\s*:\s*"([\w-]{1,100})"/.exec(answer)?.[1] ?? 'no reason was given';

const ANSWER_BYTES_MAX = 2_000_000;

/** Asks Slack's API. Throws `invalid_request` with what it answers in place of `ok`. */
async function ask({ config, fetch }: SlackDoors, token: string, method: string): Promise<Record<string, any>> {
  const outcome = await fetch.request(`${config.slack.api}/${method}`, {
    headers: { authorization: `Bearer ${token}` },
    sizeBytesMax: ANSWER_BYTES_MAX,
  });
  if (!outcome.ok || outcome.status !== 200)
    throw new AppError(
      'invalid_request',
      `Slack could not be asked: ${outcome.ok ? `it answered ${outcome.status}` : 'there was no answer'}.`,
    );
  const text = outcome.body.toString('utf8');
  if (!/^\s*\{\s*"ok"\s*:\s*true/.test(text)) throw invalid('token', `was refused by Slack: ${faultOf(text)}.`);
  try {
    return JSON.parse(text) as Record<string, any>;
  } catch (cause) {
    throw new AppError('invalid_request', 'Slack answered with something that is not JSON.', { cause });
  }
}

/** Saves a bot token that Slack knows. Throws `invalid_request`. */
export async function saveSlackToken(doors: SlackDoors, accountId: string, given: string) {
  const token = given.trim();
  if (!/^xox[a-z]?-[\w-]{10,400}$/.test(token)) throw invalid('token', 'must be a bot token of Slack, such as xoxb-….');
  const { team_id: id, team: name } = await ask(doors, token, 'auth.test');
  const team = { id: typeof id === 'string' ? id : null, name: typeof name === 'string' ? name : null };
  const slackToken = sealSlackToken(doors, accountId, token);
  await saveAccountSettings(doors.db, accountId, { slackToken, slackTeam: team });
  return team;
}

interface SlackChannel {
  id: string;
  name: string;
  is_archived: boolean;
}

/** Slack takes a number below a thousand. */
const CHANNELS_AT_ONCE = 999;
/** How often Slack is asked for one list: further channels of a workspace are not listed. */
const QUESTIONS_MAX = 10;

/**
 * Some of the channels that the token sees, in Slack's order, and whether there are more; none without a token. Slack
 * is asked no further than it has to be. Throws `invalid_request`.
 */
export async function listSlackChannels(
  doors: SlackDoors,
  accountId: string,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ channels: SlackChannel[]; hasMore: boolean }> {
  const token = await openSlackToken(doors, accountId);
  if (token === undefined) return { channels: [], hasMore: false };
  const channels: SlackChannel[] = [];
  const end = skip + limit;
  let cursor = '';
  let isOver = false;
  for (let asked = 1; !isOver && channels.length < end; asked += 1) {
    const query = new URLSearchParams({ limit: String(CHANNELS_AT_ONCE), types: 'public_channel,private_channel' });
    if (cursor) query.set('cursor', cursor);
    const answer = await ask(doors, token, `conversations.list?${query}`);
    const found = Array.isArray(answer['channels']) ? (answer['channels'] as Record<string, unknown>[]) : [];
    channels.push(
      ...found.slice(0, CHANNELS_AT_ONCE).map(({ id, name, is_archived: isArchived }) => ({
        id: String(id),
        name: String(name),
        is_archived: isArchived === true,
      })),
    );
    const { next_cursor: next } = (answer['response_metadata'] ?? {}) as { next_cursor?: unknown };
    cursor = typeof next === 'string' ? next : '';
    isOver = cursor === '' || asked >= QUESTIONS_MAX;
  }
  return { channels: channels.slice(skip, end), hasMore: channels.length > end || !isOver };
}
