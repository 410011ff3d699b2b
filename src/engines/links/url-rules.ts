// What the address itself tells about a web link: its host, its parameters, and whether it is what the text shows.
import { getDomain, parse as parseHost } from 'tldts';
import { hostOf, shortUrl } from './link-class.ts';
import { isAddress } from './mailto.ts';
import type { LinkSubject, Verdict } from './types.ts';

/** Public services whose short addresses hide where they lead; blocklists and filters hold that against a message. */
const SHORTENERS = new Set([
  'bit.ly',
  'tinyurl.com',
  't.co',
  'goo.gl',
  'ow.ly',
  'is.gd',
  'v.gd',
  'buff.ly',
  'rebrand.ly',
  'cutt.ly',
  'lnkd.in',
  'rb.gy',
  'shorturl.at',
  't.ly',
  'tiny.cc',
  'bl.ink',
  'soo.gd',
  's.id',
  'adf.ly',
  'dlvr.it',
  'shorte.st',
  'bit.do',
  'mcaf.ee',
  'x.gd',
]);

export function judgeHost({ url }: LinkSubject): Verdict[] {
  const base = url.trim().startsWith('//') ? 'https://base.invalid' : undefined;
  const parsed = new URL(url.trim(), base);
  const { hostname, port } = parsed;
  const verdicts: Verdict[] = [];
  const warn = (message: string, fix: string): void =>
    void verdicts.push({
      rule: 'host',
      severity: 'warning',
      impact: 'serious',
      message,
      fix,
      details: [{ host: hostname }],
    });
  if (parsed.username || parsed.password)
    warn(
      `${parsed.host} comes after a user name, which phishing does to show another host first.`,
      'Leave the user name out.',
    );
  if (parseHost(hostname).isIp)
    warn(
      `The link leads to the bare address ${hostname}, which spam filters hold against a message.`,
      'Use a host name.',
    );
  else if (port !== '')
    verdicts.push({
      rule: 'host',
      severity: 'warning',
      impact: 'minor',
      message: `The link leads to port ${port}, which company networks often block.`,
      fix: 'Use the standard port.',
      details: [{ host: hostname, port: Number(port) }],
    });
  if (hostname.split('.').some((label) => label.startsWith('xn--')))
    verdicts.push({
      rule: 'host',
      severity: 'info',
      impact: 'minor',
      message: `${hostname} is an internationalized name; some clients show it in this form.`,
      details: [{ host: hostname }],
    });
  if (SHORTENERS.has(hostname)) {
    verdicts.push({
      rule: 'shortener',
      severity: 'warning',
      impact: 'serious',
      message: `${hostname} is a public link shortener, which spam filters distrust.`,
      fix: 'Link to the page itself, or through a domain of your own.',
      details: [{ host: hostname }],
    });
  }
  return verdicts;
}

/** Parameters that only say where a visitor comes from, and whose they are. */
const TRACKING: readonly [pattern: RegExp, service: string][] = [
  [/^utm_/i, 'UTM'],
  [/^(?:gclid|dclid|gbraid|wbraid|gclsrc|_ga|_gl)$/i, 'Google'],
  [/^fbclid$/i, 'Meta'],
  [/^(?:msclkid)$/i, 'Microsoft'],
  [/^(?:mc_cid|mc_eid)$/i, 'Mailchimp'],
  [/^(?:_hsenc|_hsmi|hsctatracking)$/i, 'HubSpot'],
  [/^mkt_tok$/i, 'Marketo'],
  [/^(?:vero_id|vero_conv)$/i, 'Vero'],
  [/^_kx$/i, 'Klaviyo'],
  [/^(?:sfmc_\w+|et_cid|et_rid)$/i, 'Salesforce'],
  [/^(?:s_cid|ef_id|s_kwcid)$/i, 'Adobe'],
  [/^elq\w*$/i, 'Eloqua'],
  [/^(?:mtm_|pk_|piwik_|matomo_)/i, 'Matomo'],
  [/^(?:dm_i|dm_t)$/i, 'Dotdigital'],
  [/^(?:bsft_\w+)$/i, 'Blueshift'],
  [/^(?:ttclid|twclid|li_fat_id|igshid|yclid|rb_clickid|wickedid|oly_anon_id|oly_enc_id|__s|vgo_ee)$/i, 'advertising'],
];

/** What a complete UTM set holds; analytics files a visit without them under “direct”. */
const UTM_NEEDED = ['utm_source', 'utm_medium'];

export function judgeParameters({ url, answer }: LinkSubject): Verdict[] {
  const base = url.trim().startsWith('//') ? 'https://base.invalid' : undefined;
  const { searchParams, hostname } = new URL(url.trim(), base);
  const names = [...searchParams.keys()].slice(0, 200);
  const tracking = names.flatMap((name) => {
    const service = TRACKING.find(([pattern]) => pattern.test(name))?.[1];
    return service === undefined ? [] : [{ name, value: searchParams.get(name)!.slice(0, 200), service }];
  });
  const verdicts: Verdict[] = [];
  if (tracking.length > 0)
    verdicts.push({
      rule: 'tracking',
      severity: 'info',
      impact: 'minor',
      message:
        `The address carries ${tracking.length === 1 ? 'the tracking parameter' : 'the tracking parameters'} ` +
        `${[...new Set(tracking.map(({ name }) => name))].join(', ')}.`,
      details: tracking,
    });
  verdicts.push(...judgeUtm(names));
  const lost = lostOnTheWay(
    tracking.map(({ name }) => name),
    hostname,
    answer?.finalUrl,
  );
  if (lost.length > 0)
    verdicts.push({
      rule: 'tracking',
      severity: 'warning',
      impact: 'moderate',
      message: `The redirect drops ${lost.join(', ')}, so that the visit is not counted.`,
      fix: 'Link to the final address, or keep the query in the redirect.',
      details: [{ lost, final_url: answer!.finalUrl }],
    });
  const personal = names.filter((name) => isAddress(searchParams.get(name)!.trim()));
  if (personal.length > 0)
    verdicts.push({
      rule: 'personal-data',
      severity: 'warning',
      impact: 'serious',
      message:
        `The parameter ${personal.join(', ')} holds an email address, which every server on the way ` +
        'and every log gets to see.',
      fix: 'Send an identifier that means nothing to others.',
      details: [{ parameters: personal }],
    });
  return verdicts;
}

/** The parameters of campaigns belong together, and each stands once. */
function judgeUtm(names: readonly string[]): Verdict[] {
  const utm = names.filter((name) => /^utm_/i.test(name)).map((name) => name.toLowerCase());
  const missing = utm.length > 0 ? UTM_NEEDED.filter((name) => !utm.includes(name)) : [];
  const twice = utm.find((name, index) => utm.indexOf(name) !== index);
  const said = { rule: 'tracking', severity: 'warning', impact: 'minor' } as const;
  const verdicts: Verdict[] = [];
  if (missing.length > 0) {
    const message = `The address has ${utm[0]} but no ${missing.join(' and no ')}.`;
    verdicts.push({ ...said, message, fix: `Add ${missing.join(' and ')}.` });
  }
  if (twice !== undefined)
    verdicts.push({ ...said, message: `The address has ${twice} twice.`, fix: 'Write it once.' });
  return verdicts;
}

/** Within one site only: a click tracker takes its own parameters off. */
function lostOnTheWay(names: readonly string[], host: string, finalUrl: string | null | undefined): string[] {
  if (!finalUrl || names.length === 0 || !URL.canParse(finalUrl)) return [];
  const end = new URL(finalUrl);
  if (domainOf(end.hostname) !== domainOf(host)) return [];
  return [...new Set(names)].filter((name) => !end.searchParams.has(name));
}

function domainOf(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host.toLowerCase();
}

/** The host that a text shows as the address it leads to; undefined for a text that only mentions one. */
function shownHost(text: string): string | undefined {
  const token = /^\S+$/.test(text) ? text : /(?:https?:\/\/|\bwww\.)\S+/i.exec(text)?.[0];
  if (token === undefined || token.includes('@')) return undefined;
  const url = /^https?:\/\//i.test(token) ? token : `https://${token}`;
  const host = hostOf(url.replace(/[.,;:!?…»”)\]]+$/u, ''));
  if (host === undefined) return undefined;
  const parsed = parseHost(host);
  return parsed.isIcann && parsed.domain !== null ? host : undefined;
}

/** Whether the text shows another domain than the link leads to, the mark of phishing. */
export function judgeText(subject: LinkSubject): Verdict | undefined {
  const { text, url, answer } = subject;
  if (text === undefined) return undefined;
  if (text === '') {
    const what = subject.isImageOnly
      ? 'holds only pictures without alternative text: while pictures are blocked nobody sees it'
      : 'has no text';
    return {
      rule: 'text-missing',
      severity: 'warning',
      impact: 'serious',
      message: `The link to ${shortUrl(url)} ${what}.`,
      fix: subject.isImageOnly ? 'Say in alt where it leads.' : 'Give it a text, or remove it.',
      source: 'WCAG 2.2 SC 2.4.4',
    };
  }
  // The alternative text of a logo is a name and not an address.
  const shown = subject.isImageOnly ? undefined : shownHost(text);
  const leads = hostOf(url.trim());
  if (shown === undefined || leads === undefined) return undefined;
  const details = [
    {
      text: text.slice(0, 200),
      shown: domainOf(shown),
      leads: domainOf(leads),
      ...(answer?.finalUrl && { final_url: answer.finalUrl }),
    },
  ];
  if (domainOf(shown) === domainOf(leads))
    return {
      rule: 'text-domain',
      severity: 'pass',
      message: `The text shows ${domainOf(shown)}, and that is where the link leads.`,
      details,
    };
  const end = answer?.finalUrl ? hostOf(answer.finalUrl) : undefined;
  if (end !== undefined && domainOf(end) === domainOf(shown)) {
    return {
      rule: 'text-domain',
      severity: 'warning',
      impact: 'moderate',
      message:
        `The text shows ${domainOf(shown)}, but the link leads through ${domainOf(leads)} first, which looks like ` +
        'phishing to mail filters.',
      fix: 'Show words in place of the address, or track under your own domain.',
      details,
    };
  }
  return {
    rule: 'text-domain',
    severity: 'error',
    impact: 'serious',
    message:
      `The text shows ${domainOf(shown)}, but the link leads to ${domainOf(end ?? leads)}: ` +
      'mail clients warn of phishing.',
    fix: 'Let the text show the domain that the link leads to, or words.',
    details,
  };
}
