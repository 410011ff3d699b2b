import type { EmailView, IgnoreView, VersionView } from './contract.ts';
import type { Ignore } from './ignores-store.ts';
import type { Email } from './store.ts';
import type { Version } from './versions-store.ts';

/** `ownerName` is null where the user is gone. */
export function emailView(
  email: Email,
  { ownerName, status, review }: { ownerName: string | null } & Pick<EmailView, 'status' | 'review'>,
): EmailView {
  const { id, name, folder, tags, ownerId, version, subject, createdAt, updatedAt } = email;
  return {
    id,
    name,
    folder,
    tags,
    owner: ownerId === null ? null : { id: ownerId, name: ownerName },
    version,
    subject,
    status,
    review,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

export function versionView(version: Version, path: string): VersionView {
  const { number, kind, origin, url, subject, sender, sizeBytes, digest, createdAt } = version;
  const self = `${path}/${number}`;
  return {
    number,
    kind,
    origin,
    url,
    subject,
    from: sender,
    size_bytes: sizeBytes,
    sha256: digest,
    created_at: createdAt.toISOString(),
    links: { self, content: `${self}/content`, source: `${self}/source`, tests: `${self}/tests` },
  };
}

/** Whether the last day has passed, in UTC. */
export const isOver = ({ until }: Pick<Ignore, 'until'>, now: Date): boolean =>
  until !== null && until < now.toISOString().slice(0, 10);

export function ignoreView(ignore: Ignore, now: Date): IgnoreView {
  const { cause, rule, reason, until, createdAt } = ignore;
  return { cause, rule, reason, until, is_over: isOver(ignore, now), created_at: createdAt.toISOString() };
}
