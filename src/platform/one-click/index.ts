// Unsubscribes as a mail client would with one click (RFC 8058 §3.2). It has an effect: only for callers who asked.
import type { FetchOutcome } from '../fetch/index.ts';

/** What the guarded client must be able to do: POST a form and treat redirects as answers. */
interface FormPost {
  request(
    url: string,
    options: {
      method: 'POST';
      form: string;
      timeoutMs: number;
      sizeBytesMax: number;
      tooLarge: 'cut';
      signal?: AbortSignal;
    },
  ): Promise<FetchOutcome>;
}

interface OneClickOutcome {
  url: string;
  outcome: 'accepted' | 'redirected' | 'page' | 'refused' | 'unreachable';
  /** Null when there was no answer. */
  status: number | null;
  /** One sentence. */
  message: string;
}

const TIMEOUT_MS = 15_000;
const ANSWER_BYTES_MAX = 64 * 1024;
/** What a page has that wants another step; a sentence that says "done" has none of it. */
const CONTROLS = /<(?:form|button|input|select|textarea|script|meta[^>]{0,200}http-equiv\s*=\s*["']?refresh)\b/i;

/**
 * POSTs `List-Unsubscribe=One-Click` to an https address, without cookies, and follows nothing. Accepted is an answer
 * of 2xx that asks for no further step. Never throws for what the world does.
 */
export async function postOneClick(fetch: FormPost, url: string, signal?: AbortSignal): Promise<OneClickOutcome> {
  const given = { url: url.slice(0, 2000) };
  if (!/^https:\/\//i.test(url))
    return {
      ...given,
      outcome: 'refused',
      status: null,
      message: 'The address is not https, so no client posts to it.',
    };
  const answer = await fetch.request(url, {
    method: 'POST',
    form: 'List-Unsubscribe=One-Click',
    timeoutMs: TIMEOUT_MS,
    sizeBytesMax: ANSWER_BYTES_MAX,
    tooLarge: 'cut',
    ...(signal && { signal }),
  });
  if (!answer.ok)
    return {
      ...given,
      outcome: 'unreachable',
      status: null,
      message: `The POST got no answer (${answer.reason.replaceAll('_', ' ')}).`,
    };
  const { status, headers, body } = answer;
  if (status >= 300 && status < 400)
    return {
      ...given,
      outcome: 'redirected',
      status,
      message:
        `The POST was answered with ${status} and sent on` +
        `${headers['location'] ? ` to ${headers['location'].slice(0, 200)}` : ''}; clients do not follow.`,
    };
  if (status < 200 || status >= 300)
    return { ...given, outcome: 'refused', status, message: `The POST was answered with ${status}.` };
  const isPage = /html/i.test(headers['content-type'] ?? '') && CONTROLS.test(body.toString('utf8'));
  if (isPage)
    return {
      ...given,
      outcome: 'page',
      status,
      message: `The POST was answered with ${status} and a page that asks for another step.`,
    };
  return {
    ...given,
    outcome: 'accepted',
    status,
    message: `The POST was answered with ${status}, without a redirect or another step.`,
  };
}
