// Where links lead: free hosting, redirectors, broken-in sites, and addresses that were drawn by chance.
import { parse as parseDomain } from 'tldts';
import { FREE_HOSTING, FREEMAIL } from '../lists.ts';
import { domainOf, type Link, type MailReading } from '../reading.ts';
import { listed, plural, rules, type RuleMatch, type SpamRule } from '../rule.ts';
import { looksRandom } from './senders.ts';

const PLACES_MAX = 10;

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
const isBelow = (host: string, domains: ReadonlySet<string>): boolean => {
  for (let rest = host; rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1))
    if (domains.has(rest)) return true;
  return false;
};

/** Addresses that send on to any other that stands in them. */
const REDIRECT =
  /^https?:\/\/(?:[^/]*\.)?(?:google\.[a-z.]{2,6}\/(?:url|amp\/s|amp\/)|bing\.com\/ck\/|youtube\.com\/redirect|l\.facebook\.com\/l\.php|[^/]*doubleclick\.net\/|baidu\.com\/link|yandex\.[a-z]+\/(?:clck|redir)|slack-redir\.net\/|linkedin\.com\/(?:slink|redir)|docs\.google\.com\/(?:drawings|presentation)\/|forms\.office\.com\/)/i;
const BROKEN_IN = /\/(?:wp-(?:content|includes|admin)|\.well-known|cgi-bin|vendor|node_modules|~\w+)\//i;

function onlyForeign(mail: MailReading): RuleMatch | undefined {
  const own = domainOf(mail.from.domain);
  const led = mail.links.filter(({ domain }) => domain !== '');
  const domains = new Set(led.map(({ domain }) => domain));
  if (!own || led.length === 0 || domains.has(own) || domains.size > 3) return undefined;
  return {
    message: `No link leads to ${own}, where the sender is; they lead to ${listed([...domains])}.`,
    places: led.slice(0, PLACES_MAX).map((link) => link.place()),
    count: led.length,
  };
}

function allSame(mail: MailReading): RuleMatch | undefined {
  const led = mail.links.filter(({ url }) => url);
  const targets = new Set(led.map(({ url }) => url!.href));
  return led.length >= 3 && targets.size === 1
    ? {
        message: `All ${led.length} links lead to one address: ${[...targets][0]!.slice(0, 80)}.`,
        places: led.slice(0, PLACES_MAX).map((link) => link.place()),
        count: led.length,
      }
    : undefined;
}

function mailtoStranger(mail: MailReading): RuleMatch | undefined {
  return among(
    mail,
    ({ href }) => {
      const host = /^mailto:[^?@]*@([^?&\s]+)/i.exec(href)?.[1]?.toLowerCase();
      return host !== undefined && FREEMAIL.has(host) && host !== mail.from.domain;
    },
    (found) => `Links write to ${listed(found.map(({ href }) => href.replace(/^mailto:|\?.*$/gi, '')))}.`,
  );
}

const isRandomHost = ({ url }: Link): boolean => {
  if (!url) return false;
  const { domainWithoutSuffix: name, subdomain } = parseDomain(url.hostname);
  return looksRandom(name ?? '') || (subdomain ?? '').split('.').length >= 5;
};

export const LINK_PLACE_RULES: SpamRule[] = rules('links', {
  LINK_FREE_HOSTING: {
    points: 1.2,
    description: 'A link to a page on free hosting.',
    fix: 'Put the page under your own domain.',
    source: 'SpamAssassin: the rules about storage of large providers; abuse reports of such hosts',
    check: (mail) =>
      among(
        mail,
        ({ url, domain }) =>
          url !== undefined && domain !== domainOf(mail.from.domain) && isBelow(url.hostname, FREE_HOSTING),
        (found) => `Links lead to ${hosts(found)}.`,
      ),
  },
  LINK_REDIRECT: {
    points: 1.3,
    description: 'A link that hides where it leads behind a large site.',
    fix: 'Link to the page itself.',
    source: 'SpamAssassin: GOOG_REDIR_*; Rspamd: URL_REDIRECTOR',
    check: (mail) =>
      among(
        mail,
        ({ href }) => REDIRECT.test(href),
        (found) => `${plural(found.length, 'link')} ${found.length === 1 ? 'goes' : 'go'} through ${hosts(found)}.`,
      ),
  },
  LINK_BROKEN_IN: {
    points: 1.2,
    description: 'A link into the innards of a site, where intruders put pages.',
    fix: 'Link to a page of the site proper.',
    source: 'SpamAssassin: URI_WP_HACKED, URI_WP_DIRINDEX',
    check: (mail) =>
      among(
        mail,
        ({ url }) =>
          url !== undefined &&
          BROKEN_IN.test(url.pathname) &&
          !/\.(?:png|jpe?g|gif|webp|svg|pdf|css)$/i.test(url.pathname),
        (found) => `Links lead to ${listed(found.map(({ url }) => url!.host + url!.pathname))}.`,
      ),
  },
  LINK_TOKEN: {
    points: 1,
    description: 'A link has a code after # that identifies the reader; no server sees it.',
    fix: 'Put what you measure into the query of the address.',
    source: 'Practice of filters against phishing kits',
    check: (mail) =>
      among(
        mail,
        ({ url }) => url !== undefined && /^#[\w/+=.@-]{18,}$/.test(url.hash) && /\d/.test(url.hash),
        (found) => `Links carry ${listed(found.map(({ url }) => url!.hash.slice(0, 30)))}.`,
      ),
  },
  LINK_RANDOM_HOST: {
    points: 1.1,
    description: 'A host name that looks drawn by chance.',
    fix: 'Link to a name that people can read.',
    source: 'SpamAssassin: the rules about random host names',
    check: (mail) => among(mail, isRandomHost, (found) => `Links lead to ${hosts(found)}.`),
  },
  LINK_ALL_SAME: {
    points: 0.7,
    description: 'Every link leads to the same address, the one to unsubscribe too.',
    fix: 'Let each link lead where its words say.',
    source: 'Practice of filters',
    check: allSame,
  },
  LINK_NOT_SENDER: {
    points: 0.4,
    description: 'No link leads to the sender’s own domain.',
    fix: 'Lead links through your own domain, tracked ones too.',
    source: 'Practice of filters',
    check: onlyForeign,
  },
  LINK_MAILTO_STRANGER: {
    points: 1.2,
    description: 'A link opens a message to someone else’s public mailbox.',
    fix: 'Take answers at the domain that sends.',
    source: 'SpamAssassin: FREEMAIL_REPLYTO, of bodies',
    check: mailtoStranger,
  },
});
