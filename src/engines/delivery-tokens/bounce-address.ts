// The envelope's sender of each delivery (VERP): what could not be delivered later comes back to it.

const LOCAL = /^b\+([A-Za-z0-9_-]{22})@[^@]+$/i;

/** `b+<token>@<host>`. */
export const bounceAddress = (token: string, host: string): string => `b+${token}@${host}`;

/** The token in such an address, of whatever host; undefined for every other address. */
export const bounceTokenOf = (address: string): string | undefined => LOCAL.exec(address)?.[1];
