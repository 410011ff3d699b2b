// Delivery to the world: to the servers that MX records name, or by the operator's relay.
import { AppError, isPassing, messageOf } from '../../../platform/errors/index.ts';
import type { MailLease } from '../../../platform/mail/index.ts';
import { returnPathOf } from '../messages/index.ts';
import { conversationOf } from './conversation.ts';
import { createCopies } from './copies.ts';
import type { Attempt, CarrierDoors, Outcome } from './outcomes.ts';
import { outcomeOf } from './replies.ts';

interface Flight {
  /** The place at the destination. */
  lease: Pick<MailLease, 'deliver'>;
  /** The bytes that leave are made. */
  made: () => void;
  /** All but the end of the message was written: from now on it may have arrived. */
  beforeEnd: () => void;
  signal: AbortSignal;
}

/** Makes one attempt. Rejects only for what passes, such as a database that is away. */
export type Transmit = (attempt: Attempt, flight: Flight) => Promise<Outcome>;

/** Nothing was sent, and nothing will be. */
const hopeless = (message: string): Outcome => ({
  end: 'failed',
  reason: 'generic',
  status: { code: 554, 'enhanced-code': '5.3.0', message, description: '', 'bounce-type': 'soft' },
});

/** What has to be tried again although no server was asked. */
const ownFault = (message: string): Outcome => ({
  end: 'deferred',
  status: { code: 451, 'enhanced-code': '4.3.0', message, description: 'It could not be made ready here.' },
});

/** What the relay may repeat in an answer: its password, as it is and as it is sent. */
function secretsOf(relayUrl: string | undefined): string[] {
  if (relayUrl === undefined) return [];
  const { username, password } = new URL(relayUrl);
  const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
  if (secret === '') return [];
  return [secret, ...[secret, `\0${user}\0${secret}`].map((text) => Buffer.from(text).toString('base64'))];
}

/** Attempts of one process. */
export function createTransmitter(doors: CarrierDoors): Transmit {
  const copies = createCopies(doors);
  const { relayUrl } = doors.config.mail;
  const isRelayed = relayUrl !== undefined;
  const secrets = secretsOf(relayUrl);
  return async (attempt, { lease, made, ...watch }) => {
    const { delivery, message } = attempt;
    try {
      const { mail, returnHost, ...tls } = await copies.copyFor(attempt);
      made();
      const parcel = {
        from: returnPathOf(doors, { messageId: message.id, position: delivery.position }, returnHost),
        to: delivery.recipient,
        above: mail.head,
        raw: mail.body,
        isWire: mail.isWire,
        ...tls,
        ...watch,
        isTold: true,
      };
      const began = performance.now();
      const report = await lease.deliver(parcel);
      return {
        ...outcomeOf(report, { recipient: delivery.recipient, isRelayed }),
        conversation: conversationOf(report, { began, isRelayed, secrets }),
      };
    } catch (error) {
      if (isPassing(error) || watch.signal.aborted) throw error;
      if (error instanceof AppError && error.status < 500) return hopeless(error.message);
      doors.log.error({ err: error, delivery: delivery.id }, 'a delivery could not be tried; it is tried again');
      return ownFault(messageOf(error).slice(0, 200));
    }
  };
}
