import { parse as parseDomain } from 'tldts';
import { mergeTagIn } from '../../merge-tags/index.ts';
import { ABUSED_ENDINGS, ARCHIVES, EXECUTABLES, SHORTENERS, endingOf } from '../lists.ts';
import { domainOf, type Link, type MailReading } from '../reading.ts';
import { listed, plural, rules, type RuleMatch, type SpamRule } from '../rule.ts';

const PLACES_MAX = 10;
const NUMERIC_HOST = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/i;

function among(
  mail: MailReading,
  isMeant: (link: Link) => boolean,
  say: (found: Link[]) => string,
): RuleMatch | undefined {
  const found = mail.links.filter(isMeant);
  return found.length
    ? { message: say(found), places: found.slice(0, PLACES_MAX).map((link) => link.place()), count: found.length }
    : undefined;
}

const hosts = (found: readonly Link[]): string => listed(found.map(({ url, href }) => url?.host ?? href));
const withUrl =
  (isMeant: (url: URL, link: Link) => boolean) =>
  (link: Link): boolean =>
    link.url !== undefined && isMeant(link.url, link);

/** The address that a link shows, when its words are one. */
function shownDomain(text: string): string {
  const host = /^(?:https?:\/\/)?((?:[a-z0-9-]{1,63}\.)+[a-z]{2,24})(?:[/?#:]\S*)?$/i.exec(text.trim())?.[1];
  if (!host) return '';
  const parsed = parseDomain(host);
  return parsed.isIcann ? (parsed.domain ?? '') : '';
}

/** A different domain behind an address that is shown; a tracking host of the sender's own domain is no lie. */
const lies = (mail: MailReading) =>
  withUrl((url, { text, domain }) => {
    const shown = shownDomain(text);
    return (
      shown !== '' &&
      (domain !== '' || NUMERIC_HOST.test(url.hostname)) &&
      shown !== domain &&
      domain !== domainOf(mail.from.domain)
    );
  });

function manyDomains(mail: MailReading): RuleMatch | undefined {
  const domains = new Set(mail.links.map(({ domain }) => domain).filter(Boolean));
  return domains.size > 12
    ? {
        message: `Links lead to ${domains.size} different domains, such as ${listed([...domains])}.`,
        places: [],
        count: domains.size,
      }
    : undefined;
}

function plainHttp(mail: MailReading): RuleMatch | undefined {
  return among(
    mail,
    withUrl((url) => url.protocol === 'http:' && !NUMERIC_HOST.test(url.hostname)),
    (found) => `${plural(found.length, 'link')} ${found.length === 1 ? 'is' : 'are'} not encrypted: ${hosts(found)}.`,
  );
}

export const LINK_RULES: SpamRule[] = rules('links', {
  LINK_LIES: {
    points: 2,
    description: 'A link shows one address and leads to another.',
    fix: 'Write words instead of an address, or track clicks on a host of the same domain.',
    source: 'SpamAssassin: HTTPS_HTTP_MISMATCH; Rspamd: PHISHING',
    check: (mail) =>
      among(
        mail,
        lies(mail),
        (found) =>
          `“${found[0]!.text.slice(0, 60)}” leads to ${found[0]!.url!.host}` +
          `${found.length > 1 ? `, and ${found.length - 1} more lie likewise` : ''}.`,
      ),
  },
  LINK_NUMERIC: {
    points: 2,
    description: 'A link to a number instead of a name.',
    fix: 'Give the server a name, with HTTPS.',
    source: 'SpamAssassin: NUMERIC_HTTP_ADDR, NORMAL_HTTP_TO_IP',
    check: (mail) =>
      among(
        mail,
        withUrl((url) => NUMERIC_HOST.test(url.hostname)),
        (found) => `Links lead to ${hosts(found)}.`,
      ),
  },
  LINK_SHORTENER: {
    points: 1,
    description: 'A public link shortener.',
    fix: 'Link to your own domain.',
    source: 'SpamAssassin: 25_url_shortener.cf; Spamhaus DBL lists abused redirectors',
    check: (mail) =>
      among(
        mail,
        withUrl((url, { domain }) => SHORTENERS.has(domain) || SHORTENERS.has(url.hostname)),
        (found) => `${plural(found.length, 'link')} ${found.length === 1 ? 'goes' : 'go'} through ${hosts(found)}.`,
      ),
  },
  LINK_USER_NAME: {
    points: 2.5,
    description: 'A link with a user name, which looks like another host.',
    fix: 'Take everything before the @ out.',
    source: 'RFC 3986 §7.6',
    check: (mail) =>
      among(
        mail,
        withUrl((url) => url.username !== ''),
        (found) => `“${found[0]!.href.slice(0, 60)}” leads to ${found[0]!.url!.host}.`,
      ),
  },
  LINK_ODD_PORT: {
    points: 0.9,
    description: 'A link to an unusual port.',
    fix: 'Serve the page on port 443.',
    source: 'SpamAssassin: WEIRD_PORT',
    check: (mail) =>
      among(
        mail,
        withUrl((url) => url.port !== ''),
        (found) => `Links lead to ${hosts(found)}.`,
      ),
  },
  LINK_ENCODED_HOST: {
    points: 1.5,
    description: 'A host name that is written so that filters don’t recognize it.',
    fix: 'Write the host as it is.',
    source: 'SpamAssassin: HTTP_ESCAPED_HOST, HTTP_EXCESSIVE_ESCAPES',
    check: (mail) =>
      among(
        mail,
        ({ href }) => /^https?:\/\/[^/?#]*%[0-9a-f]{2}/i.test(href) || /^https?:\/\/0x[0-9a-f]+/i.test(href),
        (found) => `${listed(found.map(({ href }) => href))} hides its host.`,
      ),
  },
  LINK_PUNYCODE: {
    points: 0.8,
    description: 'A host name in other letters than the sender’s.',
    fix: 'If it is your own name, link to one in plain letters; readers cannot tell look-alikes apart.',
    source: 'Unicode TR 39; Rspamd: OMOGRAPH_URL',
    check: (mail) =>
      among(
        mail,
        withUrl((url, { domain }) => url.hostname.includes('xn--') && domain !== domainOf(mail.from.domain)),
        (found) => `Links lead to ${hosts(found)}.`,
      ),
  },
  LINK_ABUSED_ENDING: {
    points: 0.9,
    description: 'A domain under an ending that is abused more than used.',
    fix: 'Use a domain under another ending for mail.',
    source: 'SpamAssassin: FROM_SUSPICIOUS_NTLD, PDS_OTHER_BAD_TLD; as of 2026-11',
    check: (mail) =>
      among(
        mail,
        withUrl((url) => ABUSED_ENDINGS.has(endingOf(url.hostname))),
        (found) => `Links lead to ${hosts(found)}.`,
      ),
  },
  LINK_SCRIPT: {
    points: 2.5,
    description: 'A link that runs code or carries its own page.',
    fix: 'Link to a page over https.',
    source: 'No client runs it; RFC 3986 §7',
    check: (mail) =>
      among(
        mail,
        ({ href }) => /^\s*(?:javascript|vbscript|data):/i.test(href),
        (found) => `A link starts with ${listed(found.map(({ href }) => href.slice(0, 20)))}.`,
      ),
  },
  LINK_DOWNLOAD: {
    points: 1.6,
    description: 'A link to a program or an archive.',
    fix: 'Link to a page that offers the download.',
    source: 'URLhaus: most malware comes as a link',
    check: (mail) =>
      among(
        mail,
        withUrl(
          (url) =>
            url.pathname.length > 4 &&
            ((EXECUTABLES.has(endingOf(url.pathname)) && !/\.(?:com|url|js)$/i.test(url.pathname)) ||
              ARCHIVES.has(endingOf(url.pathname))),
        ),
        (found) => `Links lead to ${listed(found.map(({ url }) => url!.pathname.split('/').at(-1)!))}.`,
      ),
  },
  LINK_HTTP: {
    points: 0.2,
    description: 'Links without encryption.',
    fix: 'Link with https://.',
    source: 'Rspamd: HTTP_TO_HTTPS; browsers warn about such pages',
    check: plainHttp,
  },
  LINK_MANY_DOMAINS: {
    points: 0.6,
    description: 'Links to very many domains.',
    fix: 'Lead all links through one domain of your own.',
    source: 'Every domain is looked up in blocklists',
    check: manyDomains,
  },
  LINK_BROKEN: {
    points: 0.3,
    description: 'A link that leads nowhere.',
    fix: 'Write a complete address.',
    source: 'RFC 3986 §3.2.2',
    check: (mail) =>
      among(
        mail,
        ({ href, url }) => /^https?:/i.test(href) && !url && mergeTagIn(href) === undefined,
        (found) => `${listed(found.map(({ href }) => href))} cannot be opened.`,
      ),
  },
});
