// One try to have a certificate issued or renewed. Whatever comes of it, the next one is far enough away: an authority
// that is asked too often refuses everybody here.
import { X509Certificate } from 'node:crypto';
import { AcmeError, issueCertificate, makeAccountKey } from '../../../platform/acme/index.ts';
import { endsSoonAt } from '../../../platform/certificates/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { DAY_MS } from '../../../platform/times/index.ts';
import { findDomainById, isTrackingHostLeadingHere, trackingHostOf } from '../sending-domains/index.ts';
import {
  addChallenge,
  addOrder,
  changeCertificate,
  countOrders,
  findCertificate,
  takeAuthorityKey,
  type TrackingCertificate,
} from './store.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'secrets' | 'clock' | 'dns' | 'fetch' | 'log'>;
type Place = Pick<TrackingCertificate, 'accountId' | 'domainId' | 'host'>;

const HOUR_MS = 3_600_000;
/** Below what Let's Encrypt allows: 5 failures of a host an hour, 5 equal certificates a week, 300 orders in 3 hours. */
const HOUR_MAX = { ofHost: 3, ofAccount: 20, ofAll: 90 };
const WEEK_OF_HOST_MAX = 10;
/** How long orders are counted. */
export const ORDERS_KEPT_DAYS = 8;
const BACK_OFF_HOURS_MAX = 24;
/** After so many failures nobody asks by itself, unless a certificate is still valid. */
const FAILURES_MAX = 10;
/** A certificate is renewed when so much of its time has passed. */
const RENEWAL_SHARE = 2 / 3;
const CHALLENGE_MS = 600_000;

/** Where a certificate is kept, sealed for its host. */
export const purposeOf = (host: string): string => `certificate:${host}`;

/** Why nobody asks now; undefined: an order is written down. */
async function claim({ db, clock }: Doors, place: Place): Promise<'not due' | 'too many' | undefined> {
  const now = clock.now();
  return db.tx(async (tx) => {
    await tx.lock('certificate orders');
    const row = await findCertificate(tx, place);
    if (!row?.tryAt || row.tryAt > now) return 'not due';
    const hour = await countOrders(tx, place, new Date(now.getTime() - HOUR_MS));
    const week = await countOrders(tx, place, new Date(now.getTime() - 7 * DAY_MS));
    const isOver =
      hour.ofHost >= HOUR_MAX.ofHost ||
      hour.ofAccount >= HOUR_MAX.ofAccount ||
      hour.ofAll >= HOUR_MAX.ofAll ||
      week.ofHost >= WEEK_OF_HOST_MAX;
    // Also for a process that ends before it has heard anything.
    await changeCertificate(tx, place, { tryAt: new Date(now.getTime() + HOUR_MS) });
    if (isOver) return 'too many';
    await addOrder(tx, { id: newId(), accountId: place.accountId, host: place.host, orderedAt: now });
    return undefined;
  });
}

/** What keeps the authority from being asked at all; undefined: nothing. */
async function obstacleOf(doors: Doors, place: Place): Promise<string | undefined> {
  const domain = await findDomainById(doors.db, place.accountId, place.domainId);
  if (!doors.config.trackingTls.acme.isAgreed)
    return 'The operator of this service has not agreed to the terms of the authority (GALLEY_ACME_TERMS).';
  if (domain?.state !== 'active') return 'The domain is not verified.';
  if (trackingHostOf(domain) !== place.host) return `The tracking host of the domain is ${trackingHostOf(domain)} now.`;
  if (!(await isTrackingHostLeadingHere(doors, domain))) return `DNS does not lead from ${place.host} to this service.`;
  return undefined;
}

async function order(doors: Doors, { accountId, host }: Place, signal: AbortSignal) {
  const { config, db, secrets, clock, fetch } = doors;
  const { directoryUrl, contact } = config.trackingTls.acme;
  const purpose = `acme:${directoryUrl}`;
  const make = (): string => secrets.seal(makeAccountKey(), purpose);
  const accountKey = secrets.open(await takeAuthorityKey(db, directoryUrl, { make, at: clock.now() }), purpose);
  return issueCertificate({
    fetch,
    directoryUrl,
    accountKey,
    contact,
    host,
    present: (token, answer) =>
      addChallenge(db, { token, accountId, answer, until: new Date(clock.now().getTime() + CHALLENGE_MS) }),
    now: () => clock.now().getTime(),
    signal,
  });
}

/** After a failure: later each time, and not before the authority wants to be asked. */
async function noteFailure(
  { db, clock, log }: Doors,
  { place, row }: { place: Place; row: TrackingCertificate },
  error: AcmeError,
): Promise<void> {
  const now = clock.now();
  const failures = row.failures + 1;
  const backOffMs = Math.min(2 ** (failures - 1), BACK_OFF_HOURS_MAX) * HOUR_MS;
  const isGivenUp = failures >= FAILURES_MAX && !(row.validTo && row.validTo > now);
  const tryAt = isGivenUp ? null : new Date(now.getTime() + Math.max(backOffMs, error.retryMs ?? 0));
  log.warn({ host: place.host, message: error.message }, 'no certificate of a tracking host was issued');
  await changeCertificate(db, place, { failures, error: error.message, askedAt: null, tryAt });
}

/** Tries once, when it is due. What the authority says is kept with the certificate; nothing is thrown for it. */
export async function tryToIssue(doors: Doors, place: Place, signal: AbortSignal): Promise<void> {
  const { db, secrets, clock } = doors;
  const row = await findCertificate(db, place);
  if (!row?.tryAt || row.tryAt > clock.now()) return;
  const obstacle = await obstacleOf(doors, place);
  if (obstacle !== undefined) return noteFailure(doors, { place, row }, new AcmeError(obstacle));
  const refusal = await claim(doors, place);
  if (refusal === 'too many')
    return changeCertificate(db, place, {
      error: 'Many certificates were asked for lately, more than the authority allows. This one is asked for later.',
    });
  if (refusal !== undefined) return;
  try {
    const { chain, key } = await order(doors, place, signal);
    const { validFromDate: validFrom, validToDate: validTo } = new X509Certificate(chain);
    const lifeMs = validTo.getTime() - validFrom.getTime();
    const renewal = Math.max(validFrom.getTime() + lifeMs * RENEWAL_SHARE, clock.now().getTime() + HOUR_MS);
    const sealedKey = secrets.seal(key, purposeOf(place.host));
    const issued = { chain, sealedKey, validFrom, validTo, endsSoonAt: endsSoonAt({ validFrom, validTo }) };
    const settled = { error: null, askedAt: null, failures: 0, tryAt: new Date(renewal) };
    await changeCertificate(db, place, { ...issued, ...settled });
  } catch (error) {
    if (!(error instanceof AcmeError)) throw error;
    await noteFailure(doors, { place, row }, error);
  }
}
