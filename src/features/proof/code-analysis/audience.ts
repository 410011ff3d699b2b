// The audience of a score: a profile that comes with Galley, or shares of clients that the caller gives.
import type { Static } from 'typebox';
import {
  audienceProblems,
  audiences,
  defaultAudience,
  findAudience,
  readClient,
  type Audience,
  type AudienceClient,
} from '../../../engines/code-analysis/index.ts';
import { clientName } from '../../../engines/caniemail/index.ts';
import { invalid } from '../../../platform/errors/index.ts';
import type { AudienceField } from './contract.ts';

/**
 * As it is kept with an analysis: a profile by its id, so that its newest figures count, or the caller's own shares.
 */
export type ChosenAudience = { id: string } | { name: string; clients: AudienceClient[] };

const OWN_NAME = 'your own shares';
/** One more than a profile may have. */
const CLIENTS_READ_MAX = 501;
const NAME_LENGTH_MAX = 200;
/** So that a sum of shares is a number. */
const SHARE_MAX = 1e9;
const PROBLEMS_SHOWN = 3;
const PROBLEM_LENGTH_MAX = 200;

/** Reads what a request says. Throws `invalid_request` for a profile that is not there and shares that mean nothing. */
export function chooseAudience(given: Static<typeof AudienceField> | null | undefined): ChosenAudience {
  if (given === undefined || given === null) return { id: defaultAudience.id };
  if (typeof given === 'string' && findAudience(given)) return { id: given };
  const own = typeof given === 'string' ? writtenAudience(given) : ownAudience(given);
  const problems = audienceProblems(own.clients);
  if (problems.length)
    throw invalid(
      'audience',
      `cannot be used. ${problems
        .slice(0, PROBLEMS_SHOWN)
        .map((problem) => problem.slice(0, PROBLEM_LENGTH_MAX))
        .join(' ')}`,
    );
  return own;
}

/** Shares in a query: `gmail.android:31,outlook.windows@2016:4`. */
function writtenAudience(text: string): { name: string; clients: AudienceClient[] } {
  const pairs = text.split(',').map((pair) => /^\s*([^:\s]+)\s*:\s*(\d+(?:\.\d+)?)\s*$/.exec(pair));
  if (!pairs.every((pair) => pair !== null))
    throw invalid(
      'audience',
      `must be one of ${audiences.map(({ id }) => id).join(', ')}, or shares by client, such as ` +
        'gmail.android:31,apple-mail.ios:69.',
    );
  return { name: OWN_NAME, clients: pairs.map(([, client, share]) => readEntry({ client, share: Number(share) })) };
}

/** Shares by client, or a list of clients as in `data/audiences`. */
function ownAudience({ name, clients, ...shares }: Exclude<Static<typeof AudienceField>, string>): {
  name: string;
  clients: AudienceClient[];
} {
  if (clients === undefined)
    return {
      name: OWN_NAME,
      clients: Object.entries({ ...shares, ...(name !== undefined && { name }) }).map(([client, share]) =>
        readEntry({ client, share }),
      ),
    };
  if (!Array.isArray(clients)) throw invalid('audience.clients', 'must be an array of { client, share }.');
  return {
    name: typeof name === 'string' && name.trim() ? name.trim().slice(0, NAME_LENGTH_MAX) : OWN_NAME,
    clients: clients.slice(0, CLIENTS_READ_MAX).map(readEntry),
  };
}

function readEntry(entry: unknown): AudienceClient {
  const { client, share, name } = (entry ?? {}) as Record<string, unknown>;
  if (typeof client !== 'string' || client.length > NAME_LENGTH_MAX)
    throw invalid('audience', 'must name each client as family.platform, such as gmail.android.');
  if (typeof share !== 'number' || !(share >= 0 && share <= SHARE_MAX))
    throw invalid('audience', `must give ${client} a share from 0 to ${SHARE_MAX}.`);
  return {
    client,
    share,
    ...(typeof name === 'string' && name.trim() && { name: name.trim().slice(0, NAME_LENGTH_MAX) }),
  };
}

/** A profile that has gone since counts as the default one. */
export function audienceOf(chosen: ChosenAudience): Pick<Audience, 'name' | 'clients'> & { id?: string } {
  return 'id' in chosen ? (findAudience(chosen.id) ?? defaultAudience) : chosen;
}

export function audienceView({ id, name, description, source, clients }: Audience) {
  return {
    id,
    name,
    description,
    is_default: id === defaultAudience.id,
    source,
    clients: clients.map((client) => ({
      client: client.client,
      name: client.name ?? clientName(readClient(client.client)),
      share: client.share,
    })),
  };
}
