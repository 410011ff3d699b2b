// A message that arrived at a trap: whose it is, and what is kept of it.
import { authenticate } from '../../../engines/mail-authentication/index.ts';
import { bounceTokenOf, openDelivery } from '../../../engines/delivery-tokens/index.ts';
import type { Outside, SpooledEnvelope } from '../../../platform/feature/index.ts';
import { signaturesBy } from '../../proof/_seeds/index.ts';
import { deliverySecret, listFacts } from '../../send/messages/index.ts';
import { findOwner } from '../../send/sending-domains/index.ts';
import { readHeader } from './computations.ts';
import { domainOf, fingerprintOf, plain } from './hits.ts';
import { countForeign, findTrapAt, forgetMessages, saveHits, type SpamTrap } from './store.ts';
import { tellHits } from './tell.ts';

type Doors = Pick<Outside, 'blobs' | 'clock' | 'compute' | 'config' | 'db' | 'dns' | 'jobs' | 'log' | 'secrets'>;

const KEPT_BYTES = 256 * 1024;
/** Messages of an account; the oldest go first. */
const KEPT_MESSAGES = 500;
const HIDDEN = 'spam-trap@hidden.invalid';
const OWN_TRAPS = "Galley's own traps";

interface Sender {
  accountId: string;
  proof: string;
  tags: string[];
}

/** Who sent it from here: the return path is sealed with this service's secret. */
async function senderByReturnPath(doors: Doors, from: string): Promise<Sender | undefined> {
  const token = bounceTokenOf(from);
  const delivery = token === undefined ? undefined : openDelivery(token, deliverySecret(doors, 'bounce'));
  const [message] = delivery ? await listFacts(doors.db, [delivery.messageId]) : [];
  return message && { accountId: message.accountId, proof: 'return path of its delivery', tags: message.tags };
}

/** Who verified the domain in From, if DMARC says that the message is from there. */
async function senderByDomain(
  doors: Doors,
  raw: Buffer,
  { envelope, domain }: { envelope: SpooledEnvelope; domain: string },
): Promise<Sender | undefined> {
  const accountId = domain === '' ? undefined : await findOwner(doors.db, domain);
  if (accountId === undefined) return undefined;
  const { dmarc } = await authenticate(raw, {
    ip: envelope.remoteAddress,
    helo: envelope.helo,
    mailFrom: envelope.from,
    mta: 'galley',
    dns: doors.dns,
    now: doors.clock.now(),
    signatures: signaturesBy(doors.compute),
  });
  const { alignment, fromDomain } = dmarc;
  const isAligned = alignment.spf.domain !== null || alignment.dkim.domain !== null;
  return isAligned && fromDomain === domain ? { accountId, proof: `DMARC of ${domain}`, tags: [] } : undefined;
}

/** The beginning of the message, without the address of the trap where it is written out. */
function keptOf(raw: Buffer, address: string): Buffer {
  const text = raw.subarray(0, KEPT_BYTES).toString('latin1');
  const pattern = address.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return Buffer.from(text.replaceAll(new RegExp(pattern, 'gi'), HIDDEN), 'latin1');
}

interface Found {
  trap: SpamTrap;
  sender: Sender;
  address: string;
  header: { from: string; subject: string };
}

async function keep(
  doors: Doors,
  raw: Buffer,
  { trap, sender, address, header, envelope }: Found & { envelope: SpooledEnvelope },
) {
  const { db, blobs, clock } = doors;
  const { accountId, proof, tags } = sender;
  const fingerprint = fingerprintOf('own', envelope.id, trap.id, address);
  const messageKey = `spam-traps/${accountId}/${fingerprint}`;
  await blobs.put(messageKey, keptOf(raw, address), 'message/rfc822');
  const at = clock.now();
  const domain = domainOf(header.from);
  const gone = await db.tx(async (tx) => {
    const saved = await saveHits(tx, accountId, [
      {
        at,
        type: trap.type,
        source: 'own',
        sourceName: OWN_TRAPS,
        hits: 1,
        domain,
        subject: plain(header.subject),
        ip: envelope.remoteAddress,
        headerFrom: header.from.toLowerCase(),
        sender: plain(envelope.from),
        tags,
        trapId: trap.id,
        proof,
        messageKey,
        fingerprint,
      },
    ]);
    await tellHits(doors, tx, { accountId, sourceName: OWN_TRAPS, hits: saved });
    return forgetMessages(tx, accountId, KEPT_MESSAGES);
  });
  for (const key of gone) await blobs.deleteAll(key);
  doors.jobs.wake();
}

/** Keeps a hit for each trap among the recipients; mail of senders that are nobody here is counted alone. */
export async function receiveAtTraps(doors: Doors, raw: Buffer, envelope: SpooledEnvelope): Promise<void> {
  const header = await doors.compute.run(readHeader, raw);
  const sender =
    (await senderByReturnPath(doors, envelope.from)) ??
    (await senderByDomain(doors, raw, { envelope, domain: domainOf(header.from) }));
  for (const recipient of envelope.recipients) {
    const address = recipient.toLowerCase();
    const trap = await findTrapAt(doors.db, address);
    if (!trap) continue;
    if (sender) await keep(doors, raw, { trap, sender, address, header, envelope });
    else await countForeign(doors.db, trap.id, doors.clock.now());
  }
}
