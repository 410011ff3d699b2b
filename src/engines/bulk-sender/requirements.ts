// What each provider requires, by public document, as of 2026-11.
import type { Requirement } from './types.ts';

const GMAIL = 'Email sender guidelines';
const YAHOO = 'Sender Best Practices';
const OUTLOOK = 'Outlook.com high volume sender requirements';

const gmail = (since = '2024-02'): Requirement => ({ provider: 'Gmail', document: GMAIL, since });
const yahoo = (since = '2024-02'): Requirement => ({ provider: 'Yahoo', document: YAHOO, since });
const outlook = (): Requirement => ({ provider: 'Outlook.com', document: OUTLOOK, since: '2025-05-05' });
const rfc = (document: string, since: string): Requirement => ({ provider: 'IETF', document, since });

export const REQUIREMENTS = {
  spf: [gmail(), yahoo(), outlook()],
  dkim: [gmail(), yahoo(), outlook()],
  'dkim-key': [gmail(), yahoo(), rfc('RFC 8301 §3.2', '2018-01')],
  dmarc: [gmail(), yahoo(), outlook()],
  alignment: [gmail(), yahoo(), outlook()],
  'one-click': [gmail('2024-06'), yahoo('2024-06'), rfc('RFC 8058', '2017-01')],
  'unsubscribe-link': [gmail('2024-06'), yahoo('2024-06'), outlook()],
  'feedback-id': [{ provider: 'Gmail', document: 'Feedback Loop of Postmaster Tools', since: '2014-08' }],
  tls: [gmail()],
  'reverse-dns': [gmail(), yahoo()],
  'from-domain': [yahoo(), outlook()],
  'single-from': [gmail(), rfc('RFC 5322 §3.6.2', '2008-10')],
  'single-fields': [gmail(), rfc('RFC 5322 §3.6', '2008-10')],
  'message-id': [gmail(), rfc('RFC 5322 §3.6.4', '2008-10')],
  syntax: [gmail(), yahoo(), rfc('RFC 5322', '2008-10')],
  'from-freemail': [gmail()],
  'honest-subject': [gmail(), outlook()],
} satisfies Record<string, readonly Requirement[]>;

export type RequirementId = keyof typeof REQUIREMENTS;
