// The receiver of reports: at an address of each account that cannot be guessed. It stands in DNS for everybody to
// read, so who sent a report is checked: the mail is signed by, or comes from, the domain
// that the report names as its own.
import { registeredDomain } from '../../../engines/dmarc-reports/index.ts';
import { authenticate, findSigners } from '../../../engines/mail-authentication/index.ts';
import type { Outside, SpooledMailReceiver } from '../../../platform/feature/index.ts';
import type { SmtpEnvelope } from '../../../platform/mail/index.ts';
import { isAccountOpen } from '../../account/accounts/index.ts';
import { isOwnAddress, signaturesBy } from '../../proof/_seeds/index.ts';
import type { ReadReport } from './computations.ts';
import { hostOf } from './domains.ts';
import { takeReports } from './ingest.ts';
import { findInboxOwner } from './store.ts';

type Doors = Pick<Outside, 'config' | 'db'>;

/** Whose address it is. Whatever stands behind a `+` does not count. */
async function ownerOf({ config, db }: Doors, address: string): Promise<string | undefined> {
  if (hostOf(address).toLowerCase() !== config.smtp.domain.toLowerCase()) return undefined;
  const local = address.slice(0, address.lastIndexOf('@')).toLowerCase().replace(/\+.*$/, '');
  return local.startsWith('dmarc-') ? findInboxOwner(db, local) : undefined;
}

/** The domains that vouch for a mail: those whose signatures verify, and that of MAIL FROM where SPF passes. */
async function vouchersOf(
  { compute, dns, clock, config }: Pick<Outside, 'compute' | 'dns' | 'clock' | 'config'>,
  raw: Buffer,
  { remoteAddress: ip, helo, from }: SmtpEnvelope,
): Promise<string[]> {
  const { dkim, spf } = await authenticate(raw, {
    ip,
    helo,
    mailFrom: from,
    mta: config.smtp.domain,
    dns,
    now: clock.now(),
    signatures: signaturesBy(compute),
  });
  const signers = dkim.filter(({ result }) => result === 'pass').map(({ domain }) => domain);
  // What comes from this machine itself was handed on by somebody else.
  return spf.result === 'pass' && !isOwnAddress(ip) ? [...signers, spf.domain] : signers;
}

/** The domains whose signatures under a mail verify: of one that another server received, more cannot be checked. */
export function signersOf(
  { compute, dns, clock }: Pick<Outside, 'compute' | 'dns' | 'clock'>,
  raw: Buffer,
): Promise<string[]> {
  return findSigners(raw, { dns, now: clock.now(), signatures: signaturesBy(compute) });
}

/** Why a report is not believed: nobody vouches for it, or somebody else than it names. */
export function doubtOf(report: ReadReport, vouchers: readonly string[]): string | undefined {
  if (vouchers.length === 0)
    return 'Nobody vouches for the mail: no DKIM signature verifies, and SPF does not pass. Anybody can write one.';
  const named = report.kind === 'aggregate' ? report.email : report.kind === 'tls' ? report.contact : report.reporter;
  const host = hostOf(
    named
      .toLowerCase()
      .replace(/^mailto:/, '')
      .replaceAll(/[<>\s]/g, ''),
  );
  if (report.kind === 'tls' && !named.includes('@')) return undefined;
  if (vouchers.some((domain) => registeredDomain(domain) === registeredDomain(host))) return undefined;
  const claimed = host || 'nobody';
  return `The report says that it comes from ${claimed}, but the mail is vouched for by ${vouchers.join(', ')}.`;
}

export const reportsByMail: SpooledMailReceiver = {
  name: 'reports of DMARC and TLS',
  delivery: 'spooled',
  async accepts(outside, address) {
    const accountId = await ownerOf(outside, address);
    return accountId !== undefined && isAccountOpen(outside, accountId);
  },
  async receive(outside, raw, envelope) {
    const addresses = new Map<string, string>();
    for (const address of envelope.recipients) {
      const accountId = await ownerOf(outside, address);
      if (accountId !== undefined) addresses.set(accountId, address.toLowerCase().replace(/\+[^@]*@/, '@'));
    }
    if (addresses.size === 0) return;
    const vouchers = await vouchersOf(outside, raw, envelope);
    for (const [accountId, address] of addresses)
      await takeReports(outside, accountId, {
        file: { name: 'mail', bytes: raw },
        arrival: {
          via: 'mail',
          address,
          vouchedBy: vouchers[0] ?? null,
          doubt: (report) => doubtOf(report, vouchers),
        },
        urgency: 'job',
      });
  },
};
