// IMAP hosts of large providers, as their own help pages give them.

const HOSTS: Record<string, string> = {
  'gmail.com': 'imap.gmail.com',
  'googlemail.com': 'imap.gmail.com',
  'outlook.com': 'outlook.office365.com',
  'hotmail.com': 'outlook.office365.com',
  'live.com': 'outlook.office365.com',
  'yahoo.com': 'imap.mail.yahoo.com',
  'aol.com': 'imap.aol.com',
  'icloud.com': 'imap.mail.me.com',
  'me.com': 'imap.mail.me.com',
  'gmx.net': 'imap.gmx.net',
  'gmx.de': 'imap.gmx.net',
  'gmx.com': 'imap.gmx.com',
  'web.de': 'imap.web.de',
  't-online.de': 'secureimap.t-online.de',
  'zoho.com': 'imap.zoho.com',
  'fastmail.com': 'imap.fastmail.com',
  'mail.ru': 'imap.mail.ru',
  'orange.fr': 'imap.orange.fr',
  'libero.it': 'imapmail.libero.it',
};

/** The host for an address, where it is known. */
export function imapHostOf(email: string): string | undefined {
  return HOSTS[email.slice(email.lastIndexOf('@') + 1).trim().toLowerCase()];
}
