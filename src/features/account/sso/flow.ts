// A sign-in on its way: what binds it to its browser travels in a cookie that nobody but this service can read or make.
import { createHash } from 'node:crypto';
import { AppError } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import type { Flow } from '../../../platform/oidc/index.ts';
import { cookieIn } from '../sessions/index.ts';

const COOKIE = 'galley_sso';
const PATH = '/v1/session/sso';
const PURPOSE = 'single sign-on';
const LIFE_SECONDS = 600;

/** The digest of its state says that it was used. */
export interface BegunFlow extends Flow {
  /** The page of the dashboard to return to. */
  from: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export const digestOf = ({ state }: Flow): Buffer => createHash('sha256').update(state).digest();

/** Only pages of the dashboard are returned to. */
export const safePath = (from: string | undefined): string =>
  from !== undefined && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(from) ? from : '/';

/** The headers that hand a flow to the browser. The page that comes back asks from this site: no other has the cookie. */
export function flowCookie(
  { secrets, clock, baseUrl }: Pick<Context, 'secrets' | 'clock' | 'baseUrl'>,
  flow: Omit<BegunFlow, 'expiresAt'>,
): Record<string, string> {
  const expiresAt = clock.now().getTime() + LIFE_SECONDS * 1000;
  const sealed = secrets.seal(JSON.stringify({ ...flow, expiresAt }), PURPOSE);
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  const value = `${COOKIE}=${sealed}; Path=${PATH}; HttpOnly; SameSite=Strict; Max-Age=${LIFE_SECONDS}${secure}`;
  return { 'set-cookie': value };
}

/** Throws `unauthorized` where this browser began none, or it has expired. */
export function flowOf({ secrets, clock, headers }: Pick<Context, 'secrets' | 'clock' | 'headers'>): BegunFlow {
  const sealed = cookieIn(headers, COOKIE);
  let flow: BegunFlow;
  try {
    flow = JSON.parse(secrets.open(sealed, PURPOSE)) as BegunFlow;
  } catch (cause) {
    throw notBegunHere(cause);
  }
  if (flow.expiresAt <= clock.now().getTime()) throw notBegunHere();
  return flow;
}

export const notBegunHere = (cause?: unknown): AppError =>
  new AppError(
    'unauthorized',
    'This sign-in was not begun in this browser, took longer than ten minutes, or was used already. Begin again.',
    { cause },
  );
