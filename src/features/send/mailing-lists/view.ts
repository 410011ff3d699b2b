import { mailDate } from '../../../platform/times/index.ts';
import type { Member } from './member-store.ts';
import type { MailingList } from './store.ts';
import type { Upload } from './upload-store.ts';

export function listView({ createdAt, ...list }: MailingList) {
  return {
    address: list.address,
    name: list.name,
    description: list.description,
    access_level: list.accessLevel,
    reply_preference: list.replyPreference,
    created_at: mailDate(createdAt),
    members_count: list.membersCount,
  };
}

export function memberView({ address, name, vars, isSubscribed }: Member) {
  return { address, name, vars, subscribed: isSubscribed };
}

export function uploadView({ createdAt, finishedAt, ...upload }: Upload) {
  return {
    'task-id': upload.id,
    state: finishedAt ? ('finished' as const) : ('under way' as const),
    format: upload.format,
    upsert: upload.isUpsert,
    members: upload.given,
    written: upload.added + upload.updated + upload.kept,
    added: upload.added,
    updated: upload.updated,
    kept: upload.kept,
    skipped: upload.skipped,
    problems: upload.problems,
    created_at: mailDate(createdAt),
    finished_at: finishedAt && mailDate(finishedAt),
  };
}
