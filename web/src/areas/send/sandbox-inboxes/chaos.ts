import type { Inbox } from './sandbox-api.ts';

type Chaos = NonNullable<Inbox['chaos']>;
type Trigger = keyof Chaos;

/** What an inbox may refuse on purpose, in the order of a session. */
export const TRIGGERS: readonly { name: Trigger; label: string; command: string; code: number }[] = [
  { name: 'authentication', label: 'Login', command: 'AUTH', code: 535 },
  { name: 'sender', label: 'Sender', command: 'MAIL FROM', code: 451 },
  { name: 'recipient', label: 'Recipient', command: 'RCPT TO', code: 451 },
];

/** What is refused now, such as `AUTH with 535 in 20 %`; empty: nothing. */
export const refusalsOf = (chaos: Inbox['chaos']): string[] =>
  TRIGGERS.flatMap(({ name, command }) => {
    const { error_code: code = 0, probability = 0 } = chaos?.[name] ?? {};
    return probability > 0 ? [`${command} with ${code} in ${probability} %`] : [];
  });
