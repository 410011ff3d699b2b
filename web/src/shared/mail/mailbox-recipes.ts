// What a mailbox at a large provider takes to be read by IMAP. As far as known in 2026-11; providers change it.

interface MailboxRecipe {
  name: string;
  /** Domains of its addresses. */
  domains: readonly string[];
  /** IMAP over TLS, port 993. */
  host: string;
  /** What to log in with, and where to make it. */
  login: string;
  /** What to switch on before. */
  setUp?: string;
  /** The folder that counts as spam. */
  spam: string;
  /** Whether the tabs that a reader sees can be read. */
  tabs: string;
}

const NO_TABS = 'It shows no tabs.';

export const RECIPES: readonly MailboxRecipe[] = [
  {
    name: 'Gmail',
    domains: ['gmail.com', 'googlemail.com'],
    host: 'imap.gmail.com',
    login: 'App password: turn on 2-Step Verification, then myaccount.google.com/apppasswords.',
    setUp: 'Settings → Labels: “Show in IMAP” for Spam.',
    spam: '[Gmail]/Spam',
    tabs: 'Promotions, Social, Updates and Forums are read by label.',
  },
  {
    name: 'Outlook.com, Hotmail, Live',
    domains: ['outlook.com', 'hotmail.com', 'live.com'],
    host: 'outlook.office365.com',
    login: 'OAuth 2.0 access token; passwords no longer work over IMAP (since September 2024).',
    setUp: 'Settings → Mail → Forwarding and IMAP: let devices use IMAP.',
    spam: 'Junk Email',
    tabs: 'IMAP does not distinguish Focused from Other.',
  },
  {
    name: 'Yahoo Mail',
    domains: ['yahoo.com'],
    host: 'imap.mail.yahoo.com',
    login: 'App password: Account security → Generate app password.',
    spam: 'Bulk',
    tabs: 'IMAP does not distinguish its views.',
  },
  {
    name: 'AOL Mail',
    domains: ['aol.com'],
    host: 'imap.aol.com',
    login: 'App password: Account security → Generate app password.',
    spam: 'Bulk',
    tabs: NO_TABS,
  },
  {
    name: 'iCloud Mail',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    host: 'imap.mail.me.com',
    login: 'App-specific password: account.apple.com → Sign-In and Security.',
    spam: 'Junk',
    tabs: 'The device assigns its categories, so Galley cannot read them.',
  },
  {
    name: 'GMX',
    domains: ['gmx.net', 'gmx.de', 'gmx.at', 'gmx.ch'],
    host: 'imap.gmx.net',
    login: 'The password; with two-factor authentication, an application-specific one.',
    setUp: 'Settings → POP3/IMAP: allow access by POP3 and IMAP.',
    spam: 'Spamverdacht',
    tabs: 'Galley counts the provider’s own folders as folders.',
  },
  {
    name: 'GMX.com',
    domains: ['gmx.com'],
    host: 'imap.gmx.com',
    login: 'The password; with two-factor authentication, an application-specific one.',
    setUp: 'Settings → POP3/IMAP: allow access by POP3 and IMAP.',
    spam: 'Spam',
    tabs: NO_TABS,
  },
  {
    name: 'WEB.DE',
    domains: ['web.de'],
    host: 'imap.web.de',
    login: 'The password; with two-factor authentication, an application-specific one.',
    setUp: 'Settings → POP3/IMAP: allow access by POP3 and IMAP.',
    spam: 'Spam',
    tabs: 'Galley counts the provider’s own folders as folders.',
  },
  {
    name: 'T-Online',
    domains: ['t-online.de'],
    host: 'secureimap.t-online.de',
    login: 'The password for email programs, set in the customer center.',
    spam: 'Spam',
    tabs: NO_TABS,
  },
  {
    name: 'Zoho Mail',
    domains: ['zoho.com'],
    host: 'imap.zoho.com',
    login: 'App password: accounts.zoho.com → Security.',
    setUp: 'Settings → Mail accounts: IMAP access.',
    spam: 'Spam',
    tabs: NO_TABS,
  },
  {
    name: 'Fastmail',
    domains: ['fastmail.com'],
    host: 'imap.fastmail.com',
    login: 'App password: Settings → Privacy & Security.',
    spam: 'Spam',
    tabs: NO_TABS,
  },
  {
    name: 'Mail.ru',
    domains: ['mail.ru'],
    host: 'imap.mail.ru',
    login: 'Password for external applications.',
    spam: 'Spam',
    tabs: NO_TABS,
  },
  {
    name: 'Orange',
    domains: ['orange.fr'],
    host: 'imap.orange.fr',
    login: 'The password.',
    spam: 'Spam',
    tabs: NO_TABS,
  },
  {
    name: 'Libero',
    domains: ['libero.it'],
    host: 'imapmail.libero.it',
    login: 'The password.',
    spam: 'Spam',
    tabs: NO_TABS,
  },
];

/** The recipe for an address, where its provider is known. */
function recipeOf(email: string): MailboxRecipe | undefined {
  const domain = email
    .slice(email.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase();
  return RECIPES.find(({ domains }) => domains.includes(domain));
}

/** The IMAP host for an address, where it is known. */
export function imapHostOf(email: string): string | undefined {
  return recipeOf(email)?.host;
}
