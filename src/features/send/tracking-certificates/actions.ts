// What an account asks of the certificate of a tracking host, and how far it is.
import type { FileCertificate } from '../../../platform/certificates/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { getDomain, isTrackingHostLeadingHere, trackingHostOf, type SendingDomain } from '../sending-domains/index.ts';
import { issue } from './issue-job.ts';
import { findOwnCertificate } from './own-files.ts';
import { findCertificate, saveAsked, type TrackingCertificate } from './store.ts';

export type AskingDoors = Pick<Outside, 'config' | 'db' | 'secrets' | 'clock' | 'log' | 'dns' | 'jobs'>;

export interface Known {
  host: string;
  own: FileCertificate | undefined;
  asked: TrackingCertificate | undefined;
}

/** By its name, or that of its tracking host. Throws `not_found`. */
async function domainOf(outside: AskingDoors, accountId: string, given: string): Promise<SendingDomain> {
  const name = given.toLowerCase();
  try {
    return await getDomain(outside, accountId, name);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error;
    const domain = await getDomain(outside, accountId, name.slice(name.indexOf('.') + 1));
    if (trackingHostOf(domain) === name) return domain;
    throw error;
  }
}

async function knownOf(outside: AskingDoors, domain: SendingDomain): Promise<Known> {
  const host = trackingHostOf(domain);
  return {
    host,
    own: await findOwnCertificate(outside, host),
    asked: await findCertificate(outside.db, { accountId: domain.accountId, domainId: domain.id, host }),
  };
}

/** Throws `not_found` for a domain that the account does not have, or where no certificate was asked for. */
export async function getCertificate(outside: AskingDoors, accountId: string, name: string): Promise<Known> {
  const domain = await domainOf(outside, accountId, name);
  const known = await knownOf(outside, domain);
  if (!known.own && !known.asked)
    throw new AppError('not_found', `Please initiate x509 key pair generation at POST /v2/x509/${domain.name}`);
  return known;
}

/** `2009-11-10 23:00:00 +0000 UTC`. */
const written = (date: Date): string => `${date.toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`;

function refuse(message: string): AppError {
  return new AppError('invalid_request', message, { details: { field: 'domain' } });
}

/** Throws `invalid_request` where no authority could issue one. */
async function admit(outside: AskingDoors, domain: SendingDomain): Promise<void> {
  const host = trackingHostOf(domain);
  if (!outside.config.trackingTls.acme.isAgreed)
    throw refuse(
      'This service asks for no certificates: its operator has not agreed to the terms of the authority ' +
        '(GALLEY_ACME_TERMS).',
    );
  if (domain.type === 'sandbox') throw refuse('A sandbox domain has no tracking host.');
  if (domain.state !== 'active') throw refuse(`The domain ${domain.name} is ${domain.state}; verify it first.`);
  if (!(await isTrackingHostLeadingHere(outside, domain)))
    throw refuse(`invalid CNAME record: DNS does not lead from ${host} to this service.`);
}

/**
 * Asks for a certificate; the job that asks the authority follows. `again`: only where one was asked for before. Throws
 * `not_found`, `invalid_request`, `conflict` where one is valid or under way, `too_many_requests`.
 */
export async function askForCertificate(
  outside: AskingDoors,
  accountId: string,
  { name, again }: { name: string; again: boolean },
): Promise<SendingDomain> {
  const domain = await domainOf(outside, accountId, name);
  const now = outside.clock.now();
  const { host, own, asked } = await knownOf(outside, domain);
  if (again && !asked && !own) throw new AppError('not_found', 'x509 cert not found');
  const validTo = own?.certificate.validToDate ?? asked?.validTo;
  if (asked?.askedAt && again)
    throw new AppError('too_many_requests', `x509 key pair generation job is already in progress for ${domain.name}`, {
      headers: { 'retry-after': '60' },
    });
  const isValid = validTo instanceof Date && validTo > now;
  if (isValid && again) throw new AppError('conflict', `x509 certificate is still valid until ${written(validTo)}`);
  if (isValid || asked?.askedAt)
    throw new AppError('conflict', `x509 key pair generation has already been initiated for ${domain.name}`);
  await admit(outside, domain);
  await outside.db.tx(async (tx) => {
    await saveAsked(tx, { accountId, domainId: domain.id, host }, now);
    await outside.jobs.enqueue(tx, issue, {
      payloads: [{ accountId, domainId: domain.id, host }],
      account: accountId,
    });
  });
  outside.jobs.wake();
  return domain;
}
