// Where browsers have passkeys (Web Authentication, Level 3 (W3C), section 5.1.3). Pure.

/** Where the dashboard is. */
export interface Place {
  /** Such as `https://galley.example.com`. */
  origin: string;
  /** Its domain: passkeys belong to one. */
  domain: string;
}

/** The place of an address; undefined where browsers have no passkeys: by plain HTTP, and where it is no name. */
export function placeOf(baseUrl: string): Place | undefined {
  if (!URL.canParse(baseUrl)) return undefined;
  const { origin, hostname: domain, protocol } = new URL(baseUrl);
  const isLocal = domain === 'localhost' || domain.endsWith('.localhost');
  const isSecure = protocol === 'https:' || (protocol === 'http:' && isLocal);
  const isName = /[a-z]/i.test(domain) && !domain.startsWith('[');
  return isSecure && isName ? { origin, domain } : undefined;
}
