// The receiver of mail for the domains of accounts.
import { createHash } from 'node:crypto';
import { receivedField } from '../../../engines/mime/index.ts';
import type { Outside, SpooledEnvelope, SpooledMailReceiver } from '../../../platform/feature/index.ts';
import { SmtpRefusal, type SmtpEnvelope } from '../../../platform/mail/index.ts';
import { isAccountOpen } from '../../account/accounts/index.ts';
import { keepIncoming } from '../messages/index.ts';
import { deliveryModeOf, findReceivingDomain, type SendingDomain } from '../sending-domains/index.ts';
import { readArrived } from './computations.ts';
import { hasTooManyHops } from './header.ts';
import { judgingOf, marked, spamRefusal } from './spam.ts';
import { inboundTakers, type InboundDoors, type InboundTaker, type Offered } from './takers.ts';

/** Three days, as domains say where they say nothing else. */
const KEPT_SECONDS = 259_200;
const NOBODY = new SmtpRefusal(550, '5.1.1 No such mailbox here');

/** The addresses of a message that one taker has at one domain. */
interface Claim {
  domain: SendingDomain;
  taker: InboundTaker;
  recipients: string[];
}

const CIRCLE = new SmtpRefusal(554, '5.4.6 The message passed too many servers: it goes in a circle');

const hostOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** Who takes mail for an address; a refusal where somebody does and does not want it now. */
async function takerOf(
  outside: InboundDoors,
  domain: SendingDomain,
  { recipient, sender }: { recipient: string; sender: string },
): Promise<InboundTaker | SmtpRefusal | undefined> {
  const takers = outside.lists.of(inboundTakers).toSorted((one, other) => one.order - other.order);
  const { accountId, name } = domain;
  for (const taker of takers) {
    const answer = await taker.takes(outside, { accountId, domain: name, recipient, sender });
    if (answer !== false) return answer === true ? taker : answer;
  }
  return undefined;
}

/** The domain of an open account that takes the mail of an address. */
async function domainOf(outside: Pick<Outside, 'config' | 'db'>, address: string): Promise<SendingDomain | undefined> {
  const domain = await findReceivingDomain(outside, hostOf(address));
  return domain && (await isAccountOpen(outside, domain.accountId)) ? domain : undefined;
}

/** Who takes what of a message; addresses that nobody takes any more are missing. */
async function claimsOn(outside: InboundDoors, { recipients, from: sender }: SmtpEnvelope): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (const recipient of recipients) {
    const domain = await domainOf(outside, recipient);
    const taker = domain && (await takerOf(outside, domain, { recipient, sender }));
    if (!domain || !taker || taker instanceof SmtpRefusal) continue;
    const same = claims.find((claim) => claim.domain.id === domain.id && claim.taker === taker);
    if (same) same.recipients.push(recipient);
    else claims.push({ domain, taker, recipients: [recipient] });
  }
  return claims;
}

/** A message as its taker gets it. */
function offeredOf(raw: Buffer, { envelope, claim }: { envelope: SmtpEnvelope; claim: Claim }): Offered {
  const { domain, recipients } = claim;
  const { from: sender, remoteAddress: ip, helo } = envelope;
  return { accountId: domain.accountId, domain: domain.name, recipients, sender, raw, client: { ip, helo } };
}

/** The same for each time that the spool hands a message over. */
function keyFor({ id }: SpooledEnvelope, { domain, taker }: Claim): string {
  return createHash('sha256').update(`${id} ${domain.id} ${taker.name}`).digest('base64url').slice(0, 24);
}

async function keepFor(
  outside: InboundDoors,
  raw: Buffer,
  { envelope, claim }: { envelope: SpooledEnvelope; claim: Claim },
) {
  const { domain, taker, recipients } = claim;
  const { from: sender, remoteAddress, helo, transmission, tls } = envelope;
  const { accountId, name, settings } = domain;
  const key = keyFor(envelope, claim);
  const trace = receivedField({
    helo,
    ip: remoteAddress,
    reverseName: null,
    by: outside.config.smtp.domain,
    transmission,
    id: key,
    ...(recipients.length === 1 && { recipient: recipients[0] as string }),
    tls,
    at: outside.clock.now(),
  });
  const facts = await outside.compute.run(readArrived, raw);
  const incoming = {
    ...facts,
    accountId,
    domain: name,
    key,
    sender,
    recipients,
    originatingIp: remoteAddress,
    mode: deliveryModeOf(domain, outside.config.sending.delivery),
    raw: Buffer.concat([Buffer.from(trace), await marked(domain, raw, judgingOf(outside, raw, envelope))]),
    keptSeconds: settings.messageTtl ?? KEPT_SECONDS,
    isSealed: settings.isEncrypted ?? false,
  };
  await keepIncoming(outside, incoming, (tx, kept) => taker.take(outside, tx, { ...kept, recipients, sender }));
}

export const inboundMail: SpooledMailReceiver = {
  name: 'mail of domains',
  delivery: 'spooled',
  isGeneral: true,
  async accepts(outside, address, { from: sender }) {
    const domain = await domainOf(outside, address);
    const taker = domain && (await takerOf(outside, domain, { recipient: address, sender }));
    return taker instanceof SmtpRefusal ? taker : taker !== undefined;
  },
  async refuses(outside, raw, envelope) {
    if (hasTooManyHops(raw)) return CIRCLE;
    const claims = await claimsOn(outside, envelope);
    const judging = judgingOf(outside, raw, envelope);
    let refusal: SmtpRefusal | undefined;
    for (const claim of claims) {
      const own =
        (await claim.taker.refuses?.(outside, offeredOf(raw, { envelope, claim }))) ??
        (await spamRefusal(claim.domain, judging));
      // One reply covers all recipients: who takes the message keeps it.
      if (!own) return undefined;
      refusal ??= own;
    }
    return refusal ?? NOBODY;
  },
  async receive(outside, raw, envelope) {
    for (const claim of await claimsOn(outside, envelope)) {
      const refusal = await claim.taker.refuses?.(outside, offeredOf(raw, { envelope, claim }));
      // Its sender was told that it is taken: what passes is no reason to drop it.
      if (refusal && refusal.responseCode >= 500) continue;
      await keepFor(outside, raw, { envelope, claim });
    }
    outside.jobs.wake();
  },
};
