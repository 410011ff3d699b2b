// The providers: Galley's simulated receivers, which always exist, and the account's mailboxes.
import { RECEIVERS, type Receiver } from '../../../engines/receivers/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { listMailboxes, type SeedMailbox } from './mailboxes-store.ts';
import type { Seed, SeedProvider } from './store.ts';

/**
 * `webmail` of `webmail.local-receiver.example`; the receiver's addresses lie below the deployment's own mail domain.
 */
function labelOf(receiver: Receiver): string {
  return receiver.domain.split('.')[0] as string;
}

/** The host name of a receiver in this deployment. */
export function hostOf({ config }: Pick<Outside, 'config'>, receiver: Receiver): string {
  return `${labelOf(receiver)}.${config.smtp.domain.toLowerCase()}`;
}

/** The receiver whose address space holds this address. */
export function receiverAt(outside: Pick<Outside, 'config'>, email: string): Receiver | undefined {
  const host = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return RECEIVERS.find((receiver) => hostOf(outside, receiver) === host);
}

export function findReceiver(id: string): Receiver | undefined {
  return RECEIVERS.find((receiver) => receiver.id === id);
}

/** An address at a receiver; it takes mail once a delivery or a seed list names it. */
function receiverSeed(outside: Pick<Outside, 'config'>, receiver: Receiver, localPart: string): Seed {
  return {
    kind: 'receiver',
    id: receiver.id,
    provider: receiver.domain,
    email: `${localPart}@${hostOf(outside, receiver)}`,
  };
}

function mailboxSeed(box: SeedMailbox): Seed {
  return { kind: 'mailbox', id: box.id, provider: box.provider, email: box.email };
}

function receiverProvider(receiver: Receiver): SeedProvider {
  const { domain, displayName, about, category, region } = receiver;
  return {
    kind: 'receiver',
    domain,
    displayName,
    about,
    category,
    region,
    seedsMax: null,
    createdAt: null,
    updatedAt: null,
  };
}

function mailboxProviders(boxes: readonly SeedMailbox[]): SeedProvider[] {
  return [...Map.groupBy(boxes, (box) => box.provider)].map(([domain, own]) => {
    const first = own[0] as SeedMailbox;
    const times = own.map((box) => box.updatedAt.getTime());
    return {
      kind: 'mailbox',
      domain,
      displayName: first.displayName,
      about: `${own.length === 1 ? 'A mailbox' : `${own.length} mailboxes`} of your own, read by IMAP.`,
      category: first.category,
      region: first.region,
      seedsMax: own.length,
      createdAt: new Date(Math.min(...own.map((box) => box.createdAt.getTime()))),
      updatedAt: new Date(Math.max(...times)),
    };
  });
}

/** Everybody who can receive a test of this account: enabled mailboxes first, then the local receivers. */
export async function listProviders(outside: Pick<Outside, 'db'>, accountId: string): Promise<SeedProvider[]> {
  const boxes = (await listMailboxes(outside.db, accountId)).filter((box) => box.isEnabled);
  return [...mailboxProviders(boxes), ...RECEIVERS.map(receiverProvider)];
}

interface SeedChoice {
  /** Domains of providers; empty or undefined: all. */
  providers?: readonly string[] | null | undefined;
  /** Seeds at each local receiver. */
  perReceiver: number;
  /** Limit at each provider; 0 means no limit. */
  perProviderMax?: number | undefined;
  /** The local part of the n-th address at a receiver. */
  localPart(receiver: Receiver, n: number): string;
}

/** Chooses seeds at the providers that are asked for. */
export async function chooseSeeds(
  outside: Pick<Outside, 'db' | 'config'>,
  accountId: string,
  choice: SeedChoice,
): Promise<Seed[]> {
  const isWanted = (domain: string): boolean => !choice.providers?.length || choice.providers.includes(domain);
  const max = choice.perProviderMax || Infinity;
  const boxes = (await listMailboxes(outside.db, accountId)).filter((box) => box.isEnabled && isWanted(box.provider));
  const own = [...Map.groupBy(boxes, (box) => box.provider).values()].flatMap((some) => some.slice(0, max));
  const local = RECEIVERS.filter((receiver) => isWanted(receiver.domain)).flatMap((receiver) =>
    Array.from({ length: Math.min(choice.perReceiver, max) }, (_, n) =>
      receiverSeed(outside, receiver, choice.localPart(receiver, n)),
    ),
  );
  return [...own.map(mailboxSeed), ...local];
}
