// Server-sent events (HTML, 9.2), read by fetch: an EventSource cannot say which account it asks for.
import { actingFor } from './api.ts';

/** The service says at least every 15 seconds that it is there. */
const SILENCE_MS = 40_000;

interface Reading {
  signal: AbortSignal;
  onEvent: (name: string, data: string) => void;
}

/** Reads events until the stream ends. Throws when it cannot be opened, breaks off, or is silent for too long. */
export async function readEvents(path: string, { signal, onEvent }: Reading): Promise<void> {
  const silent = new AbortController();
  const accountId = actingFor();
  const response = await fetch(path, {
    headers: { accept: 'text/event-stream', ...(accountId && { 'x-service-account-id': accountId }) },
    signal: AbortSignal.any([signal, silent.signal]),
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (!response.ok || !isStream || !response.body) {
    await response.body?.cancel();
    throw new Error(`There are no events: the answer has status ${response.status}.`);
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const timer = setTimeout(() => silent.abort(new Error('The events have fallen silent.')), SILENCE_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string): string | undefined =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      const name = field('event');
      if (name !== undefined) onEvent(name, field('data') ?? '');
    }
  }
}
