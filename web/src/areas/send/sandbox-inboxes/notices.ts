// Notifications of the browser about messages that come while the page of their inbox is open.
import { api } from '../../../ground/api.ts';
import { count, nameBySubject } from '../../../ground/words.ts';

const keyOf = (inbox: string): string => `galley-notify-${inbox}`;

export const isNotifying = (inbox: string): boolean =>
  'Notification' in window && Notification.permission === 'granted' && localStorage.getItem(keyOf(inbox)) === 'yes';

export function setNotifying(inbox: string, isWanted: boolean): void {
  if (isWanted) localStorage.setItem(keyOf(inbox), 'yes');
  else localStorage.removeItem(keyOf(inbox));
}

/** Tells of the messages that came after a revision of the inbox, together. */
export async function notifyOf(inbox: string, after: number): Promise<void> {
  if (!isNotifying(inbox)) return;
  const query = { after, limit: 1 };
  const { items, total } = await api.call('GET /v1/sandbox/{inbox}/messages', { path: { inbox }, query });
  const [newest] = items;
  if (!newest) return;
  const title = total === 1 ? nameBySubject(newest.subject) : `${count(total, 'new message')} in ${inbox}`;
  const body = total === 1 ? `${newest.from || newest.mail_from}\n${newest.excerpt}` : nameBySubject(newest.subject);
  new Notification(title, { body, tag: `galley-${inbox}` });
}
