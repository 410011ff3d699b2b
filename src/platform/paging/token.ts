// Page tokens: a place in a list with the conditions of the list, signed, so that nobody makes one up. They stand at
// the end of a path (`/v3/example.com/events/<token>`) or in a body.
import { timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { AppError, invalid } from '../errors/index.ts';
import type { Secrets } from '../secrets/index.ts';
import { PAGE_NAMES, placesAround, type Key, type PageName, type Place } from './places.ts';

const MAC_BYTES = 16;
/** Of what a token says, so that its address is one that every client and proxy takes. */
const SAID_BYTES_MAX = 4000;
const TOKEN_LENGTH_MAX = Math.ceil(((SAID_BYTES_MAX + MAC_BYTES) * 4) / 3);

/** A token in a path, or in a body. */
export const PageToken = Type.String({ maxLength: TOKEN_LENGTH_MAX });

/** The fields of a body that pages by tokens. */
export function tokenFields({ limit, limitMax }: { limit: number; limitMax: number }) {
  return {
    token: Type.Optional(PageToken),
    limit: Type.Integer({ minimum: 1, maximum: limitMax, default: limit }),
  };
}

/** Which list a token belongs to: one of another account, another list or another part of it is refused. */
export interface TokenList {
  accountId: string;
  /** Such as `events example.com`. Where the token comes with its conditions, they belong to this, too. */
  list: string;
  /** What an error calls the token. */
  field: string;
}

interface Said<Conditions> {
  place: Place;
  conditions: Conditions;
}

function macOf(secrets: Pick<Secrets, 'mac'>, { accountId, list }: TokenList, said: Buffer): Buffer {
  return secrets.mac(said, `page ${JSON.stringify([accountId, list])}`).subarray(0, MAC_BYTES);
}

/** Writes a token. Throws `invalid_request` when the conditions are too long for one. */
function writeToken(secrets: Pick<Secrets, 'mac'>, list: TokenList, said: Said<unknown>): string {
  const { place, conditions } = said;
  const bytes = Buffer.from(JSON.stringify([place.page, place.at ?? null, conditions ?? null]));
  if (bytes.length > SAID_BYTES_MAX)
    throw new AppError(
      'invalid_request',
      `The conditions are too long to page through: ${bytes.length.toLocaleString('en-US')} bytes; at most ` +
        `${SAID_BYTES_MAX.toLocaleString('en-US')} are accepted.`,
    );
  return Buffer.concat([macOf(secrets, list, bytes), bytes]).toString('base64url');
}

/** What a token says. Throws `invalid_request` for one that was not written here for this list. */
export function readToken<Conditions>(secrets: Pick<Secrets, 'mac'>, list: TokenList, token: string): Said<Conditions> {
  const bytes = Buffer.from(token, 'base64url');
  const said = bytes.subarray(MAC_BYTES);
  const mac = macOf(secrets, list, said);
  // One way to write a token, so that none is known under two names.
  const isOurs =
    bytes.length > MAC_BYTES &&
    bytes.toString('base64url') === token &&
    timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac);
  if (!isOurs) throw invalid(list.field, 'is not a page of this list; take it from the answer with the page before.');
  const [page, at, conditions] = JSON.parse(said.toString()) as [PageName, Key | null, Conditions];
  return { place: { page, ...(at && { at }) }, conditions };
}

/** The tokens of the pages around one that shows rows with these keys; all four, always. */
export function tokensAround<Conditions>(
  secrets: Pick<Secrets, 'mac'>,
  list: TokenList,
  { place, shown, conditions }: Said<Conditions> & { shown: readonly Key[] },
): Record<PageName, string> {
  const around = placesAround(place, shown);
  const to = (page: PageName): string => writeToken(secrets, list, { place: around[page], conditions });
  return { first: to('first'), last: to('last'), next: to('next'), previous: to('previous') };
}

/** Tokens as the ends of paths: `url` is the absolute address of the list. */
export function tokenPaging(url: string, tokens: Readonly<Record<PageName, string>>): Record<PageName, string> {
  const paging = PAGE_NAMES.map((page) => [page, `${url}/${tokens[page]}`] as const);
  return Object.fromEntries(paging) as Record<PageName, string>;
}
