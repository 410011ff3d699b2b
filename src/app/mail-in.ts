// The service's one SMTP listener, which hands each message to the features whose addresses it is for.
import { messageOf } from '../platform/errors/index.ts';
import type { Feature, MailReceiver, Outside } from '../platform/feature/index.ts';
import { createSmtpListener, type SmtpEnvelope, type SmtpListener, type SmtpRefusal } from '../platform/mail/index.ts';

interface Claim {
  receiver: MailReceiver;
  answer: true | SmtpRefusal;
}

/** Starts listening for every address that one of the features accepts. Rejects when the port cannot be had. */
export async function listenForMail(outside: Outside, features: readonly Feature[]): Promise<SmtpListener> {
  const { config, log } = outside;
  const receivers = features.flatMap((feature) => feature.mailReceivers ?? []);
  const claimOn = async (address: string, envelope: SmtpEnvelope): Promise<Claim | undefined> => {
    for (const receiver of receivers) {
      const answer = await receiver.accepts(outside, address, envelope);
      if (answer !== false) return { receiver, answer };
    }
    return undefined;
  };
  return createSmtpListener({
    host: config.host,
    port: config.smtp.port,
    sizeBytesMax: config.smtp.sizeBytesMax,
    accept: async (address, envelope) => (await claimOn(address, envelope))?.answer ?? false,
    store: async (raw, envelope) => {
      const recipients = new Map<MailReceiver, string[]>();
      for (const address of envelope.recipients) {
        const claim = await claimOn(address, envelope);
        if (claim) recipients.set(claim.receiver, [...(recipients.get(claim.receiver) ?? []), address]);
      }
      for (const [receiver, own] of recipients) await receiver.receive(outside, raw, { ...envelope, recipients: own });
      log.info({ receivers: [...recipients.keys()].map(({ name }) => name), recipients: envelope.recipients.length, bytes: raw.length }, 'a message came in');
    },
    log,
  }).catch((error: unknown) => {
    throw new Error(`The SMTP listener cannot use port ${config.smtp.port}: ${messageOf(error)}. GALLEY_SMTP_PORT sets another.`, { cause: error });
  });
}
