import { AppError } from '../../../platform/errors/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { mailDate } from '../../../platform/times/index.ts';
import { askForCertificate, getCertificate, type AskingDoors, type Known } from './actions.ts';
import * as contracts from './contract.ts';
import { findAnswer } from './store.ts';

function statusOf({ own, asked }: Known, now: Date): 'processing' | 'active' | 'expired' | 'error' {
  if (own) return 'active';
  if (asked?.askedAt) return 'processing';
  if (!asked?.validTo) return 'error';
  return asked.validTo > now ? 'active' : 'expired';
}

function certificateView(known: Known, { now, isServed }: { now: Date; isServed: boolean }) {
  const { host, own, asked } = known;
  const chain = own?.chain ?? asked?.chain ?? undefined;
  const [from, to] = own
    ? [own.certificate.validFromDate, own.certificate.validToDate]
    : [asked?.validFrom ?? null, asked?.validTo ?? null];
  return {
    status: statusOf(known, now),
    error: own ? null : (asked?.error ?? null),
    ...(chain !== undefined && { certificate: chain }),
    host,
    source: own ? ('operator' as const) : ('authority' as const),
    valid_from: from && mailDate(from),
    valid_to: to && mailDate(to),
    next_try: own || !asked?.tryAt ? null : mailDate(asked.tryAt),
    is_served: isServed,
  };
}

type Asking = AskingDoors & Pick<Context, 'principal' | 'baseUrl'>;

const asking = async (ctx: Asking, name: string, again: boolean) => {
  const domain = await askForCertificate(ctx, ctx.principal.accountId, { name, again });
  return {
    message: 'Initiated x509 key pair generation',
    location: `${ctx.baseUrl}/v2/x509/${domain.name}/status`,
  };
};

export const endpoints = [
  endpoint(contracts.getStatus, async (ctx, { params }) => {
    const known = await getCertificate(ctx, ctx.principal.accountId, params.domain);
    const isServed = ctx.config.trackingTls.port !== undefined;
    return certificateView(known, { now: ctx.clock.now(), isServed });
  }),
  endpoint(contracts.postCertificate, (ctx, { params }) => asking(ctx, params.domain, false)),
  endpoint(contracts.putCertificate, (ctx, { params }) => asking(ctx, params.domain, true)),
  endpoint(contracts.getChallenge, async (ctx, { params }) => {
    const answer = await findAnswer(ctx.db, params.token, ctx.clock.now());
    if (answer === undefined) throw new AppError('not_found', 'There is no such challenge.');
    return new HttpReply(answer, { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' });
  }),
];
