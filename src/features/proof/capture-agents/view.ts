import { ATTEMPTS_MAX, type RequestView } from './contract.ts';
import { LAPSED, type CaptureAgent, type CaptureRequest } from './store.ts';

export function agentView({ id, name, clients, createdAt, lastSeenAt }: CaptureAgent) {
  return {
    id,
    name,
    clients,
    created_at: createdAt.toISOString(),
    last_seen_at: lastSeenAt?.toISOString() ?? null,
  };
}

/** A claim that has ended waits again, or has failed, also before an agent asks. */
export function requestView(request: CaptureRequest, now: Date): RequestView {
  const isLapsed = request.state === 'claimed' && request.leaseUntil !== null && request.leaseUntil <= now;
  const isOver = isLapsed && request.attempts >= ATTEMPTS_MAX;
  return {
    id: request.id,
    test_id: request.testId,
    client: request.clientId,
    requested_by: request.requestedBy,
    state: isOver ? 'failed' : isLapsed ? 'waiting' : request.state,
    attempts: request.attempts,
    error: isOver ? LAPSED : request.error,
    capture_id: request.captureId,
    created_at: request.createdAt.toISOString(),
    ended_at: (isOver ? request.leaseUntil : request.endedAt)?.toISOString() ?? null,
  };
}
