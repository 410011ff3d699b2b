import { openLink } from '../../../engines/tracking/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { HttpReply, plainPage } from '../../../platform/http/index.ts';
import { deliverySecret } from '../messages/index.ts';
import { followLink, loadPixel } from './contract.ts';
import { countHit } from './hits.ts';
import { isHostOf, siteOf } from './sites.ts';

const HEADERS = {
  'cache-control': 'no-store, private',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const AHEAD = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'];

type Asking = Pick<Context, 'db' | 'clock' | 'secrets' | 'headers' | 'address' | 'host' | 'isHead'>;

/** A service like this one, which checks the links and images of a message: it tells so by its name. */
const CHECKER = /^Galley\/\d/;

/** Nobody sees what is only looked at, checked, or fetched before somebody asks for it. */
const isSeen = ({ headers, isHead }: Asking): boolean =>
  !isHead &&
  !CHECKER.test(String(headers['user-agent'] ?? '')) &&
  !AHEAD.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')));

/** What a token names, counted; undefined when it was not made here, or has ended. */
async function takeHit(ctx: Asking, token: string, kind: 'opened' | 'clicked') {
  const named = openLink(token, deliverySecret(ctx, kind === 'opened' ? 'open' : 'click'));
  const site = named && (await siteOf(ctx, named.domainId));
  if (!named || !site || !(await isHostOf(ctx, ctx.host, named.domainId))) return undefined;
  const { messageId, position, link, url } = named;
  const userAgent = String(ctx.headers['user-agent'] ?? '');
  if (isSeen(ctx)) countHit(ctx, { kind, ...site, messageId, position, link, url, ip: ctx.address, userAgent });
  return named;
}

const unknownPage = (): HttpReply =>
  plainPage('This link does not work', '<p>It is incomplete, or who sent it has left this service.</p>', 404);

export const endpoints = [
  endpoint(followLink, async (ctx, { params }) => {
    const named = await takeHit(ctx, params.token, 'clicked');
    return named ? new HttpReply('', { ...HEADERS, location: named.url }, 302) : unknownPage();
  }),
  endpoint(loadPixel, async (ctx, { params }) => {
    const named = await takeHit(ctx, params.token, 'opened');
    return named ? new HttpReply(PIXEL, { ...HEADERS, 'content-type': 'image/gif' }) : unknownPage();
  }),
];
