// Who can read `/metrics`, which shows what a deployment does, and how much.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors/index.ts';

/** What proxies add to a request that they pass on. */
const FORWARDING_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-forwarded-port',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'via',
];

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  const address = socket.remoteAddress ?? '';
  return /^(127\.|::1$|::ffff:127\.)/.test(address) && FORWARDING_HEADERS.every((name) => headers[name] === undefined);
}

/** Allows a caller with the token, or, if no token is set, this machine. Throws `unauthorized` or `forbidden`. */
export function admitToMetrics(request: FastifyRequest, token: string | undefined): void {
  if (token === undefined) {
    if (isFromThisMachine(request)) return;
    throw new AppError('forbidden', 'Without GALLEY_METRICS_TOKEN, /metrics answers this machine only, and no proxy.');
  }
  const [scheme, shown = ''] = (request.headers.authorization ?? '').split(' ', 2);
  if (scheme?.toLowerCase() === 'bearer' && timingSafeEqual(digestOf(shown), digestOf(token))) return;
  throw new AppError('unauthorized', 'Send GALLEY_METRICS_TOKEN as Authorization: Bearer.', {
    headers: { 'www-authenticate': 'Bearer realm="galley"' },
  });
}
