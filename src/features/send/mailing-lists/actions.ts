import type { Sql } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { admitStored } from '../../account/accounts/index.ts';
import { deleteJob } from '../address-validations/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import {
  flagOf,
  keptOf,
  readList,
  readListChange,
  readMember,
  readMemberChange,
  wrong,
  type Fields,
} from './fields.ts';
import { deleteMember, deleteSomeMembers, findMember, updateMember, writeMember, type Member } from './member-store.ts';
import { admitMembers } from './quota.ts';
import * as store from './store.ts';
import type { MailingList } from './store.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'clock' | 'secrets'>;

/** How many rows one statement deletes. */
const AT_ONCE = 10_000;

const shown = (address: string): string => address.slice(0, 320);

/** Throws `not_found` with the sentence that most operations have. */
export async function getList(db: Sql, accountId: string, address: string): Promise<MailingList> {
  const list = await store.findList(db, accountId, keptOf(address));
  if (!list) throw new AppError('not_found', `Mailing list ${shown(address)} not found`);
  return list;
}

/** Throws `not_found`. */
export async function getMember(db: Sql, list: MailingList, address: string): Promise<Member> {
  const member = await findMember(db, list, keptOf(address));
  if (!member) throw noMember(list, address);
  return member;
}

const noMember = (list: MailingList, address: string): AppError =>
  new AppError('not_found', `Member ${shown(address)} of mailing list ${list.address} not found`);

const taken = (address: string): AppError => wrong('address', `Address already exists '${shown(address)}'`);

/** Whoever writes to the list writes to that domain. Throws `invalid_request`. */
async function admitAddress(doors: Doors, accountId: string, address: string): Promise<void> {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  await getDomain(doors, accountId, domain).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    throw wrong('address', `address: ${shown(domain)} is not a domain of this account; GET /v4/domains lists them.`);
  });
}

/** Throws `invalid_request` naming the field, `too_many_requests` beyond the quota. */
export async function createList(doors: Doors, accountId: string, fields: Fields): Promise<MailingList> {
  const { db, clock } = doors;
  const settings = readList(fields);
  await admitAddress(doors, accountId, settings.address);
  await admitStored(doors, accountId, { quota: 'mailingLists', count: () => store.countLists(db, accountId) });
  const list = { ...settings, id: newId(), createdAt: clock.now() };
  if (!(await store.insertList(db, accountId, list))) throw taken(settings.address);
  return { ...list, accountId, membersCount: 0 };
}

/** Throws `not_found`, `invalid_request` naming the field. */
export async function changeList(
  doors: Doors,
  accountId: string,
  { address, fields }: { address: string; fields: Fields },
): Promise<MailingList> {
  const list = await getList(doors.db, accountId, address);
  const change = readListChange(fields);
  if (Object.keys(change).length === 0) return list;
  if (change.address !== undefined && change.address !== list.address)
    await admitAddress(doors, accountId, change.address);
  return doors.db.tx(async (tx) => {
    // Two lists that take the same address at once take turns.
    if (change.address !== undefined) {
      await tx.lock(`mailing list ${accountId} ${change.address}`);
      const other = await store.findList(tx, accountId, change.address);
      if (other && other.id !== list.id) throw taken(change.address);
    }
    const changed = await store.updateList(tx, accountId, { id: list.id, ...change });
    if (!changed) throw new AppError('not_found', `Mailing list ${shown(address)} not found`);
    return changed;
  });
}

/** Deletes a list and its members, some thousands in a transaction. Throws `not_found`. */
export async function removeList(
  { db }: Pick<Outside, 'db'>,
  accountId: string,
  address: string,
): Promise<MailingList> {
  const list = await getList(db, accountId, address);
  while ((await db.tx((tx) => deleteSomeMembers(tx, list, AT_ONCE))) === AT_ONCE);
  await store.deleteList(db, accountId, list.id);
  // What was found of its members, whose results anybody reads who has their address.
  await deleteJob(db, accountId, list.address);
  return list;
}

/** Adds one member. Throws `not_found`, `invalid_request` naming the field. */
export async function addMember(
  doors: Doors,
  accountId: string,
  { address, fields }: { address: string; fields: Fields },
): Promise<Member> {
  const { db, clock } = doors;
  const list = await getList(db, accountId, address);
  const entry = readMember(fields);
  const isUpsert = flagOf(fields, 'upsert') ?? false;
  await admitMembers(doors, accountId, 1);
  return db.tx(async (tx) => {
    const written = await writeMember(tx, list, { entry, isUpsert, isSubscribed: true, now: clock.now() });
    if (!written) throw new AppError('not_found', `Mailing list ${shown(address)} not found`);
    if (written.added + written.updated === 0) throw taken(entry.a);
    return getMember(tx, list, entry.a);
  });
}

/** Throws `not_found`, `invalid_request` naming the field. */
export async function changeMember(
  { db }: Pick<Outside, 'db'>,
  accountId: string,
  { address, member: name, fields }: { address: string; member: string; fields: Fields },
): Promise<Member> {
  const list = await getList(db, accountId, address);
  const member = await getMember(db, list, name);
  const change = readMemberChange(fields);
  if (Object.keys(change).length === 0) return member;
  return db.tx(async (tx) => {
    await store.lockList(tx, accountId, list.id);
    const moved = change.address !== undefined && change.address !== member.address ? change.address : undefined;
    if (moved !== undefined && (await findMember(tx, list, moved))) throw taken(moved);
    const changed = await updateMember(tx, list, { address: member.address, change });
    if (!changed) throw noMember(list, name);
    return changed;
  });
}

/** Throws `not_found`. */
export async function removeMember(
  { db }: Pick<Outside, 'db'>,
  accountId: string,
  { address, member }: { address: string; member: string },
): Promise<string> {
  const list = await getList(db, accountId, address);
  const kept = keptOf(member);
  if (!(await db.tx((tx) => deleteMember(tx, list, kept)))) throw noMember(list, member);
  return kept;
}
