// Cookies for the length of one redirect chain: some sites send every visitor in a circle until a cookie comes back.
import { getDomain } from 'tldts';

/** More than any browser takes from one site. */
const COOKIES_MAX = 50;
const COOKIE_LENGTH_MAX = 4096;

interface Cookie {
  name: string;
  value: string;
  /** Lower case, without a leading dot. */
  domain: string;
  isHostOnly: boolean;
  isSecure: boolean;
}

interface ChainCookies {
  keep(setCookie: readonly string[], url: URL): void;
  /** The Cookie header for a request; undefined when there is nothing to send. */
  headerFor(url: URL): string | undefined;
}

/**
 * An empty jar by the storage model of RFC 6265 §5.3: a cookie goes back to the host that set it, or to the domain it
 * names when the host belongs to it and it is not a public suffix. Paths are left aside; the jar lives for one chain
 * only.
 */
export function keepCookies(): ChainCookies {
  const cookies = new Map<string, Cookie>();
  return {
    keep(setCookie, url) {
      for (const line of setCookie) {
        const cookie = parseCookie(line, url);
        if (!cookie) continue;
        const key = `${cookie.domain} ${cookie.name}`;
        if (hasEnded(line)) cookies.delete(key);
        else if (cookies.size < COOKIES_MAX || cookies.has(key)) cookies.set(key, cookie);
      }
    },
    headerFor(url) {
      const fitting = [...cookies.values()].filter((cookie) => goesTo(cookie, url));
      return fitting.length === 0 ? undefined : fitting.map(({ name, value }) => `${name}=${value}`).join('; ');
    },
  };
}

function parseCookie(line: string, url: URL): Cookie | undefined {
  const pair = /^\s*([^=;\s]+)\s*=\s*([^;]*)/.exec(line);
  // Anything but visible ASCII would be refused when it is sent.
  if (!pair || line.length > COOKIE_LENGTH_MAX || !/^[\x20-\x7e]*$/.test(pair[0])) return undefined;
  const named = attributeOf(line, 'domain')?.replace(/^\./, '').toLowerCase();
  const host = url.hostname;
  if (
    named &&
    named !== host &&
    !(host.endsWith(`.${named}`) && getDomain(named, { allowPrivateDomains: true }) !== null)
  )
    return undefined;
  const isSecure = /;\s*secure\s*(;|$)/i.test(line);
  return { name: pair[1]!, value: pair[2]!.trim(), domain: named || host, isHostOnly: !named, isSecure };
}

function attributeOf(line: string, name: string): string | undefined {
  return new RegExp(`;\\s*${name}\\s*=\\s*([^;]*)`, 'i').exec(line)?.[1]?.trim() || undefined;
}

function hasEnded(line: string): boolean {
  const age = attributeOf(line, 'max-age');
  if (age !== undefined) return Number(age) <= 0;
  return Date.parse(attributeOf(line, 'expires') ?? '') <= Date.now();
}

function goesTo(cookie: Cookie, url: URL): boolean {
  if (cookie.isSecure && url.protocol !== 'https:') return false;
  return url.hostname === cookie.domain || (!cookie.isHostOnly && url.hostname.endsWith(`.${cookie.domain}`));
}
