import { AppError } from '../../../platform/errors/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { pivotPaging } from '../../../platform/paging/index.ts';
import { deleteJob, findJob, jobView, startMembersJob } from '../address-validations/index.ts';
import * as actions from './actions.ts';
import * as contracts from './contract.ts';
import { flagOf, keptOf, type Fields } from './fields.ts';
import * as members from './member-contract.ts';
import { listAddresses, listMembers, pageMembers } from './member-store.ts';
import { listLists, pageLists } from './store.ts';
import { findUpload } from './upload-store.ts';
import { uploadRecords, uploadSheet } from './uploads.ts';
import * as validations from './validation-contract.ts';
import { listView, memberView, uploadView } from './view.ts';

const STARTED = 'Mailing list upload started in background';

/** Existing clients that take every answer but 200 for an error send no multipart form. */
const isOlder = ({ headers }: Pick<Context, 'headers'>): boolean =>
  /^application\/x-www-form-urlencoded/i.test(String(headers['content-type'] ?? ''));

const listEndpoints = [
  endpoint(contracts.createList, async (ctx, { body }) => {
    const list = await actions.createList(ctx, ctx.principal.accountId, body);
    const reply = { list: listView(list), message: 'Mailing list has been created' };
    return isOlder(ctx) ? new HttpReply(reply, {}, 200) : reply;
  }),
  endpoint(contracts.listLists, async ({ db, principal }, { query: { address, ...page } }) => {
    const wanted = { ...page, address: address === undefined ? undefined : keptOf(address) };
    const { items, total } = await listLists(db, principal.accountId, wanted);
    return { total_count: total, items: items.map(listView) };
  }),
  endpoint(contracts.pageLists, async ({ db, principal, baseUrl }, { query: { page, limit, address } }) => {
    const wanted = { page, limit, pivot: address?.toLowerCase() };
    const lists = await pageLists(db, principal.accountId, wanted);
    const shown = lists.map((list) => list.address);
    const paging = pivotPaging(`${baseUrl}/v3/lists/pages`, { name: 'address', page: wanted, shown });
    return { paging, items: lists.map(listView) };
  }),
  endpoint(contracts.getList, async ({ db, principal }, { params }) => ({
    list: listView(await actions.getList(db, principal.accountId, params.list_address)),
  })),
  endpoint(contracts.updateList, async (ctx, { params: { list_address: address }, body: fields }) => {
    const list = await actions.changeList(ctx, ctx.principal.accountId, { address, fields });
    return { message: 'Mailing list has been updated', list: listView(list) };
  }),
  endpoint(contracts.deleteList, async (ctx, { params }) => {
    const { address } = await actions.removeList(ctx, ctx.principal.accountId, params.list_address);
    return { address, message: 'Mailing list has been removed' };
  }),
];

const memberEndpoints = [
  endpoint(members.listMembers, async ({ db, principal }, { params, query: { address, subscribed, ...page } }) => {
    const list = await actions.getList(db, principal.accountId, params.list_address);
    const { items, total } = await listMembers(db, list, {
      ...page,
      address: address === undefined ? undefined : keptOf(address),
      isSubscribed: flagOf({ subscribed }, 'subscribed'),
    });
    return { total_count: total, items: items.map(memberView) };
  }),
  endpoint(members.pageMembers, async ({ db, principal, baseUrl }, { params, query }) => {
    const { page, limit, address, subscribed } = query;
    const list = await actions.getList(db, principal.accountId, params.list_address);
    const wanted = { page, limit, pivot: address?.toLowerCase() };
    const found = await pageMembers(db, list, { page: wanted, isSubscribed: flagOf({ subscribed }, 'subscribed') });
    const paging = pivotPaging(`${baseUrl}/v3/lists/${list.address}/members/pages`, {
      name: 'address',
      page: wanted,
      shown: found.map((member) => member.address),
      conditions: { subscribed },
    });
    return { paging, items: found.map(memberView) };
  }),
  endpoint(members.addMember, async (ctx, { params: { list_address: address }, body: fields }) => {
    const member = await actions.addMember(ctx, ctx.principal.accountId, { address, fields });
    return { member: memberView(member), message: 'Mailing list member has been created' };
  }),
  endpoint(members.getMember, async ({ db, principal }, { params }) => {
    const list = await actions.getList(db, principal.accountId, params.list_address);
    const member = memberView(await actions.getMember(db, list, params.member_address));
    return { ...member, member };
  }),
  endpoint(members.updateMember, async (ctx, { params, body: fields }) => {
    const { list_address: address, member_address: name } = params;
    const member = await actions.changeMember(ctx, ctx.principal.accountId, { address, member: name, fields });
    return { member: memberView(member), message: 'Mailing list member has been updated' };
  }),
  endpoint(members.deleteMember, async (ctx, { params: { list_address: address, member_address: member } }) => ({
    member: { address: await actions.removeMember(ctx, ctx.principal.accountId, { address, member }) },
    message: 'Mailing list member has been deleted',
  })),
];

const uploadEndpoints = [
  endpoint(members.uploadRecords, async (ctx, { params: { list_address: address }, query, body }) => {
    const fields = { ...query, ...body } as Fields;
    const { list, taskId } = await uploadRecords(ctx, ctx.principal.accountId, { address, fields });
    return { list: listView(list), 'task-id': taskId, message: STARTED };
  }),
  endpoint(members.uploadSheet, async (ctx, { params: { list_address: address }, body: fields }) => {
    const { list, taskId } = await uploadSheet(ctx, ctx.principal.accountId, { address, fields });
    return { list: listView(list), 'task-id': taskId, message: STARTED };
  }),
  endpoint(members.getUpload, async ({ db, principal }, { params: { list_address: address, task_id: id } }) => {
    const list = await actions.getList(db, principal.accountId, address);
    const upload = await findUpload(db, principal.accountId, { listId: list.id, id });
    if (!upload) throw new AppError('not_found', `Mailing list ${list.address} has no upload ${id}.`);
    return uploadView(upload);
  }),
];

/** As many as are asked for, so that one too many is noticed. */
const READ_MAX = 100_001;

const notValidated = (address: string): AppError =>
  new AppError('not_found', `Mailing list ${address} is not being validated, and was not in the last days.`);

const validationEndpoints = [
  endpoint(validations.createValidation, async (ctx, { params }) => {
    const { accountId } = ctx.principal;
    const list = await actions.getList(ctx.db, accountId, params.list_address);
    const addresses = await listAddresses(ctx.db, list, READ_MAX);
    const taken = `Mailing list ${list.address} is being validated, or was; delete that to validate it again.`;
    await startMembersJob(ctx, { accountId, name: list.address, addresses, taken });
    return { id: list.address, message: 'The validation job was submitted.' };
  }),
  endpoint(validations.getValidation, async ({ db, principal, baseUrl }, { params }) => {
    const list = await actions.getList(db, principal.accountId, params.list_address);
    const job = await findJob(db, principal.accountId, list.address);
    if (!job) throw notValidated(list.address);
    return jobView(job, baseUrl);
  }),
  endpoint(validations.deleteValidation, async ({ db, principal }, { params }) => {
    const list = await actions.getList(db, principal.accountId, params.list_address);
    if (!(await deleteJob(db, principal.accountId, list.address))) throw notValidated(list.address);
    return { message: 'Validation job canceled.' };
  }),
];

export const endpoints = [...listEndpoints, ...memberEndpoints, ...uploadEndpoints, ...validationEndpoints];
