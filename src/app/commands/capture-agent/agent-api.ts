// What an agent asks of a Galley: jobs, with the token that opens nothing else.
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../../platform/errors/index.ts';
import { plain } from '../service/connect.ts';
import { tell } from '../tell.ts';

export interface AgentJob {
  id: string;
  client: string;
  subject: string;
  /** The whole message in base64. */
  message: string;
}

export interface AgentApi {
  claim(clients: readonly { client: string; version: string; os: string }[]): Promise<AgentJob | null>;
  extend(id: string): Promise<void>;
  complete(id: string, png: Buffer, scale: number): Promise<void>;
  fail(id: string, reason: string): Promise<void>;
}

interface Connection {
  url: string;
  token: string;
  signal: AbortSignal;
}

const TRIES = 6;
const ANSWER_MS = 60_000;

/** Passing faults are tried again, ever more rarely; others throw what Galley says. */
export function createAgentApi({ url, token, signal }: Connection): AgentApi {
  const base = `${url.replace(/\/+$/, '')}/v2/preview/capture_agent`;
  const once = async (path: string, body: object | FormData): Promise<Response> =>
    fetch(base + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(!(body instanceof FormData) && { 'content-type': 'application/json' }),
      },
      body: body instanceof FormData ? body : JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
  const call = async (path: string, body: object | FormData): Promise<unknown> => {
    for (let tried = 1; ; tried++) {
      let reason: string;
      try {
        const response = await once(path, body);
        if (response.ok) return await response.json();
        const said = (await response.json().catch(() => ({}))) as { message?: string };
        reason = plain(said.message ?? `Galley answered ${response.status}.`);
        if (response.status < 500 && response.status !== 429) throw new Refused(reason);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof Refused) throw error;
        reason = `Galley cannot be reached: ${messageOf(error)}`;
      }
      if (tried >= TRIES) throw new Error(reason);
      if (tried === 1) tell(`${reason} Trying again …`);
      await pause(2 ** (tried - 1) * 500, undefined, { signal });
    }
  };
  return {
    claim: async (clients) => ((await call('/claim', { clients })) as { job: AgentJob | null }).job,
    extend: async (id) => void (await call(`/jobs/${id}/extend`, {})),
    async complete(id, png, scale) {
      const form = new FormData();
      form.set('picture', new Blob([Uint8Array.from(png)], { type: 'image/png' }), 'picture.png');
      if (scale !== 1) form.set('scale', String(scale));
      await call(`/jobs/${id}/complete`, form);
    },
    fail: async (id, reason) => void (await call(`/jobs/${id}/fail`, { reason })),
  };
}

/** Galley refused, and would again. */
class Refused extends Error {}
