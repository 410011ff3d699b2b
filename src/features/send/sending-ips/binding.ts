// The addresses of the configuration that this process can send from: tried, said, and looked up in DNS.
import { messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { bindFault } from '../../../platform/network/index.ts';
import { findFirstAccount } from '../../account/accounts/index.ts';
import { forgetRoutes } from './changes.ts';
import { lookUpReverse } from './reverse-dns.ts';
import { putBound, saveReverseDns } from './store.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'dns' | 'clock' | 'log'>;

/** A process that is gone has no addresses after so long. */
const BOUND_MS = 120_000;
const RENEW_MS = 30_000;
const LOOK_MS = 3_600_000;

export interface BoundIps {
  /** The names that they greet with, by the address. */
  readonly hostNames: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

type Configured = Outside['config']['sending']['ips'][number];

async function bindable({ config, log }: Doors): Promise<Configured[]> {
  const found: Configured[] = [];
  for (const one of config.sending.ips) {
    const fault = await bindFault(one.ip);
    if (fault === undefined) found.push(one);
    else
      log.error(
        { ip: one.ip, fault },
        'GALLEY_SENDING_IPS names an address that this machine does not have: nothing is sent from it here',
      );
  }
  return found;
}

async function note({ db, clock }: Doors, ips: readonly Configured[]): Promise<void> {
  const account = await findFirstAccount(db);
  if (!account) return;
  const now = clock.now();
  await putBound(db, { accountId: account.id, ips, boundUntil: new Date(now.getTime() + BOUND_MS), now });
}

/** Looks each up both ways; what is wrong is told, and changes nothing else. */
async function lookUp({ db, dns, clock, log }: Doors, ips: readonly Configured[]): Promise<void> {
  for (const { ip, hostName } of ips) {
    const said = await lookUpReverse(dns, { ip, hostName });
    if (said.rdnsState === 'invalid') log.warn({ ip, hostName }, `receivers distrust this sender: ${said.rdnsFault}`);
    await saveReverseDns(db, { ip, ...said, checkedAt: clock.now() });
  }
}

/** Opens the addresses of this process. Those that it cannot bind are told, and not used by it. */
export async function openSendingIps(doors: Doors): Promise<BoundIps> {
  const ips = await bindable(doors);
  const hostNames = new Map(ips.map(({ ip, hostName }) => [ip, hostName]));
  if (ips.length === 0) return { hostNames, close: async () => undefined };
  await note(doors, ips);
  forgetRoutes(doors.db);
  let underWay: Promise<unknown> = Promise.resolve();
  const quietly = (what: () => Promise<void>): void => {
    underWay = underWay
      .then(what)
      .catch((error: unknown) =>
        doors.log.warn({ message: messageOf(error) }, 'what is known of sending addresses could not be kept'),
      );
  };
  quietly(() => lookUp(doors, ips));
  const timers = [
    setInterval(() => quietly(() => note(doors, ips)), RENEW_MS),
    setInterval(() => quietly(() => lookUp(doors, ips)), LOOK_MS),
  ];
  return {
    hostNames,
    async close() {
      for (const timer of timers) clearInterval(timer);
      await underWay;
    },
  };
}
