// Messages that ask for a link with which their readers unsubscribe.
import { hasUnsubscribeHole, type Filling } from '../../../engines/mail-merge/index.ts';
import { parseAddressList } from '../../../engines/mime/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { hasFooterLink } from '../tracking/index.ts';
import type { MessageContent } from './content.ts';
import { wrong } from './fields.ts';
import type { MessageFacts, SendOptions } from './store.ts';
import { unsubscribeLinksOf } from './tokens.ts';
import type { OneClick } from './unsubscribe-fields.ts';

/** Whether its readers get links to unsubscribe: it asks for them, or its footers do. */
export const hasReaderLinks = ({ isUnsubscribable, tracked }: SendOptions): boolean =>
  isUnsubscribable === true || (tracked !== undefined && hasFooterLink(tracked));

/** The fields that a message gets. One click is for https alone (RFC 8058 §3.1). */
export function oneClickOf({ config }: Pick<Outside, 'config'>, { options }: Pick<MessageFacts, 'options'>): OneClick {
  if (!hasReaderLinks(options) || config.publicUrl === '') return 'none';
  return config.publicUrl.startsWith('https://') ? 'post' : 'link';
}

/** The field of a call in which a link is asked for; undefined when it is in none. */
export function linkField(content: MessageContent): string | undefined {
  if (content.kind === 'mime') return 'message';
  const { subject, text, html, ampHtml, headers } = content;
  const fields = { text, html, 'amp-html': ampHtml, subject };
  const found = Object.entries(fields).find(([, value]) => value !== undefined && hasUnsubscribeHole(value))?.[0];
  if (found !== undefined) return found;
  const header = headers.find(({ value }) => hasUnsubscribeHole(value));
  return header && `h:${header.name}`;
}

/** Throws `invalid_request` for a message that leaves and asks for links, where there is no address for them. */
export function admitLinks(
  { config }: Pick<Outside, 'config'>,
  { content, options, mode }: { content: MessageContent; options: SendOptions; mode: 'capture' | 'live' },
): void {
  if (mode === 'capture' || !options.isUnsubscribable || config.publicUrl !== '') return;
  const field = linkField(content) ?? 'message';
  throw wrong(
    field,
    `${field} asks for a link to unsubscribe, and this service has no address that readers could follow it to: its ` +
      'operator sets GALLEY_PUBLIC_URL, or the message goes without %unsubscribe_url% and %tag_unsubscribe_url%.',
  );
}

/** How the header calls recipients, by their addresses in lower case. */
export function namesOf({ headerTo }: Pick<MessageFacts, 'headerTo'>): Map<string, string> {
  return new Map(parseAddressList(headerTo).mailboxes.map(({ address, name }) => [address.toLowerCase(), name]));
}

/** What the copy of a message to one recipient is filled with, where it asks for links; variables are not kept. */
export function onlyCopyOf(
  outside: Pick<Outside, 'secrets' | 'config'>,
  message: Pick<MessageFacts, 'id' | 'options' | 'recipients' | 'headerTo'>,
): Filling | undefined {
  const [address, another] = message.recipients;
  const links = unsubscribeLinksOf(outside, { messageId: message.id, position: 0 });
  if (address === undefined || another !== undefined || !links || !hasReaderLinks(message.options)) return undefined;
  return { recipient: { name: namesOf(message).get(address.toLowerCase()) ?? '', address }, links };
}
