// What the settings of a mailing list mean.
import type { MailingList } from './lists-api.ts';

interface Words {
  label: string;
  about: string;
}

/** Who may write to it. */
export const ACCESS: Readonly<Record<MailingList['access_level'], Words>> = {
  readonly: {
    label: 'Only this account',
    about: 'Mail from outside is refused; the account writes with a key or a login.',
  },
  members: {
    label: 'Its members',
    about: 'Subscribed members write from their own address; mail of others is refused.',
  },
  everyone: { label: 'Everyone', about: 'Whoever knows the address writes to the members.' },
};

/** Where answers go. */
export const REPLIES: Readonly<Record<MailingList['reply_preference'], Words>> = {
  list: { label: 'To the list', about: 'Answers go to all members.' },
  sender: { label: 'To the author', about: 'Answers go to who wrote the message.' },
};

/** Answers to the messages of a list that nobody may answer go to where the message says. */
export const repliesOf = ({ access_level: access, reply_preference: preference }: MailingList): string =>
  access === 'readonly' ? 'Answers go to who sends the message.' : REPLIES[preference].about;
