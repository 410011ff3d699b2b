// The cookie of a session.
import { SESSION_COOKIE } from '../../../platform/http/index.ts';

/** What the browser holds under a name; empty when it holds none. */
export function cookieIn(headers: Record<string, string | string[] | undefined>, name: string): string {
  const cookies = [headers['cookie'] ?? '']
    .flat()
    .join(';')
    .split(';')
    .map((pair) => pair.trim());
  return cookies.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}

/** The token that the browser holds; empty when it holds none. */
export const tokenIn = (headers: Record<string, string | string[] | undefined>): string =>
  cookieIn(headers, SESSION_COOKIE);

/** The headers that hand it to the browser. */
export function cookie(token: string, ctx: { baseUrl: string }, seconds: number): Record<string, string> {
  const secure = ctx.baseUrl.startsWith('https:') ? '; Secure' : '';
  return { 'set-cookie': `${SESSION_COOKIE}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}` };
}
