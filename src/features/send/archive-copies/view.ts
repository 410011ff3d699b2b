import type { ArchiveCopy } from './store.ts';

export function archiveCopyView({ id, url, state, createdAt, dueAt, attempts }: ArchiveCopy) {
  return {
    id,
    url,
    state,
    created_at: createdAt.toISOString(),
    ...(state === 'waiting' && { next_attempt_at: dueAt.toISOString() }),
    attempts: attempts.map(({ at, code, message, tookMs, answer }) => ({
      at,
      ...(code !== null && { code }),
      message,
      took_ms: tookMs,
      answer,
    })),
  };
}
