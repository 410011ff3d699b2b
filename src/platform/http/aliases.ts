// Both spellings of names: the names of the contract and the names that existing clients send. Nothing else knows both.

import { AppError } from '../errors/index.ts';

/** Header of the contract → what existing clients send. */
const HEADER_ALIASES = {
  'x-service-account-id': ['x-mailgun-account-id', 'x-mailgun-on-behalf-of'],
  'x-service-requestor': ['x-mailgun-requestor'],
  'x-service-requestor-client': ['x-mailgun-requestor-client'],
} as const;

/** Path prefix that existing clients call → the contract's. */
const PATH_ALIASES: readonly (readonly [from: string, to: string])[] = [
  ['/v1/maverick-score/', '/v1/health-score/'],
  ['/v1/inboxready/', '/v1/optimize/'],
  ['/v2/preview/address', '/v1/preview/address'],
];

/** Field of the contract → the second name on the wire. */
const FIELD_ALIASES = {
  imageblocking: 'image_blocking',
  extension: 'ext',
  displayname: 'display_name',
  fullthumbnail: 'full_thumbnail',
  statusdetails: 'status_details',
  bouncecode: 'bounce_code',
  bouncemessage: 'bounce_message',
} as const;

type Aliased<Fields> = Fields & {
  [Name in keyof Fields & keyof typeof FIELD_ALIASES as (typeof FIELD_ALIASES)[Name]]: Fields[Name];
};

/** The object with the wire's spelling beside every aliased field. */
export function withAliases<Fields extends object>(fields: Fields): Aliased<Fields> {
  const both = { ...fields } as Record<string, unknown>;
  for (const [name, alias] of Object.entries(FIELD_ALIASES)) if (name in both) both[alias] = both[name];
  return both as Aliased<Fields>;
}

/** What a client asks for that puts the whole address of a page behind its base. */
const GLUED = /^\/v3https?:\/\/[^/?#]*(\/v3\/.*)$/;

/** The request target under the contract's spelling. */
export function canonicalUrl(given: string): string {
  const url = GLUED.exec(given)?.[1] ?? given;
  for (const [from, to] of PATH_ALIASES) {
    if (url === from || url.startsWith(from.endsWith('/') ? from : `${from}?`) || url.startsWith(`${from}/`))
      return to + url.slice(from.length);
  }
  return url;
}

/** Every spelling of a header, the contract's first. */
export function alternativesOf(name: keyof typeof HEADER_ALIASES): string[] {
  return [name, ...HEADER_ALIASES[name]];
}

/** The value of a header under any of its spellings. Throws `invalid_request` when two of them say different things. */
export function headerOf(
  headers: Record<string, string | string[] | undefined>,
  name: keyof typeof HEADER_ALIASES,
): string | undefined {
  const spellings = alternativesOf(name);
  // Node joins a header that comes twice with commas.
  const given = spellings.flatMap((spelling) =>
    [headers[spelling] ?? []]
      .flat()
      .flatMap((value) => value.split(','))
      .map((value) => ({ spelling, value: value.trim() })),
  );
  const said = given.filter(({ value }) => value !== '');
  const [first] = said;
  const other = said.find(({ value }) => value !== first?.value);
  if (first && other)
    throw new AppError(
      'invalid_request',
      `The headers ${first.spelling} and ${other.spelling} name different values; send one of them.`,
      { details: { field: first.spelling } },
    );
  return first?.value;
}
