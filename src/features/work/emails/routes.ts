import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { skipPaging } from '../../../platform/paging/index.ts';
import type { Lists } from '../../../platform/ports/index.ts';
import { findUser } from '../../account/users/index.ts';
import { readMail } from '../../proof/_message/index.ts';
import { rulesOf } from '../../proof/gate/index.ts';
import * as actions from './actions.ts';
import * as contracts from './contract.ts';
import { PATH } from './contract.ts';
import { listIgnores } from './ignores-store.ts';
import * as wire from './overview-contract.ts';
import { causesOfVersion, comparisonOf, overviewOf } from './overview.ts';
import { reviewStates } from './review-state.ts';
import { startTests, testKinds } from './start-tests.ts';
import { listEmails, listFolders, listTags, type Email } from './store.ts';
import * as tests from './tests-contract.ts';
import { statusesOf, testsOf } from './tests.ts';
import { emailView, ignoreView, versionView } from './view.ts';
import { listVersions, type Version } from './versions-store.ts';

type Reader = Pick<Context, 'db' | 'principal'>;
type ListDoors = Reader & Pick<Context, 'clock' | 'ports'>;

const pathOf = (emailId: string): string => `${PATH}/${emailId}/versions`;

/** The names of those who made them, by id. */
async function ownersOf({ db, principal }: Reader, emails: readonly Email[]): Promise<Map<string, string>> {
  const ids = [...new Set(emails.flatMap(({ ownerId }) => ownerId ?? []))];
  const users = await Promise.all(ids.map((id) => findUser(db, principal.ownAccountId, id)));
  return new Map(users.flatMap((user) => (user ? [[user.id, user.name || (user.email ?? user.id)]] : [])));
}

/** Views of a page of emails. */
async function viewsOf(ctx: ListDoors, emails: readonly Email[]) {
  const { accountId } = ctx.principal;
  const owners = await ownersOf(ctx, emails);
  const statusOf = await statusesOf(ctx, accountId, emails);
  const reviewOf = await ctx.ports.get(reviewStates)(ctx, accountId, emails);
  return emails.map((email) => {
    const ownerName = owners.get(email.ownerId ?? '') ?? null;
    return emailView(email, { ownerName, status: statusOf(email), review: reviewOf(email) });
  });
}

const view = async (ctx: ListDoors, email: Email) => (await viewsOf(ctx, [email]))[0]!;

async function show(ctx: ListDoors, email: Email) {
  const { version } = await actions.getVersion(ctx, { email_id: email.id, number: 'latest' });
  return { ...(await view(ctx, email)), latest: versionView(version, pathOf(email.id)) };
}

/** The name of a file, of any characters. */
const fileName = ({ name }: Email, { kind }: Version): string => `${name}.${kind === 'mime' ? 'eml' : 'html'}`;

const emails = [
  endpoint(contracts.listEmails, async (ctx, { query }) => {
    const { limit, skip, search, folder, tag, owner, sort, order } = query;
    const ownerId = owner === 'me' ? (ctx.principal.userId ?? '') : owner;
    const wanted = { search, folder, tag, ownerId, sort, order: order ?? (sort === 'name' ? 'asc' : 'desc') } as const;
    const { items, total } = await listEmails(ctx.db, ctx.principal.accountId, { ...wanted, limit, skip });
    const repeated = { search, folder, tag, owner, sort, order };
    return {
      items: await viewsOf(ctx, items),
      paging: skipPaging(ctx.baseUrl + PATH, { ...repeated, limit, skip }, total),
      total,
    };
  }),
  endpoint(contracts.createEmail, async (ctx, { body }) => show(ctx, await actions.createEmail(ctx, body))),
  endpoint(contracts.listLabels, async ({ db, principal: { accountId } }) => ({
    folders: await listFolders(db, accountId, contracts.LABELS_MAX),
    tags: await listTags(db, accountId, contracts.LABELS_MAX),
  })),
  endpoint(contracts.getEmail, async (ctx, { params }) => show(ctx, await actions.getEmail(ctx, params.email_id))),
  endpoint(contracts.updateEmail, async (ctx, { params, body }) =>
    view(ctx, await actions.changeEmail(ctx, params.email_id, body)),
  ),
  endpoint(contracts.deleteEmail, async (ctx, { params }) => {
    await actions.removeEmail(ctx, params.email_id);
    return { message: 'The email and its versions were deleted.' };
  }),
];

const versions = [
  endpoint(contracts.listVersions, async (ctx, { params, query: { limit, skip } }) => {
    const { id, accountId } = await actions.getEmail(ctx, params.email_id);
    const { items, total } = await listVersions(ctx.db, { accountId, emailId: id }, { limit, skip });
    return {
      items: items.map((version) => versionView(version, pathOf(id))),
      paging: skipPaging(ctx.baseUrl + pathOf(id), { limit, skip }, total),
      total,
    };
  }),
  endpoint(contracts.createVersion, async (ctx, { params, body }) => {
    const { version, isNew } = await actions.addVersion(ctx, params.email_id, body);
    return { ...versionView(version, pathOf(params.email_id)), is_new: isNew };
  }),
  endpoint(contracts.getVersion, async (ctx, { params }) => {
    const { version } = await actions.getVersion(ctx, params);
    return versionView(version, pathOf(params.email_id));
  }),
  endpoint(contracts.getContent, async (ctx, { params }) => {
    const { version } = await actions.getVersion(ctx, params);
    const { kind, subject, sender, plainText } = version;
    const bytes = await actions.bytesOf(ctx, version);
    if (kind !== 'mime') return { subject, from: sender, html: bytes.toString('utf8'), text: plainText, headers: [] };
    const {
      html = null,
      text = null,
      headers,
      headerList,
    } = await ctx.compute.run(readMail, bytes, {
      urgency: 'answer',
    });
    return { subject, from: headers['from'] ?? null, html, text, headers: headerList };
  }),
  endpoint(contracts.getSource, async (ctx, { params }) => {
    const { email, version } = await actions.getVersion(ctx, params);
    return new HttpReply(await actions.bytesOf(ctx, version), {
      // Never a type that a browser would make a page of at this address.
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(fileName(email, version))}`,
    });
  }),
  endpoint(tests.listTests, async (ctx, { params }) => {
    const { version } = await actions.getVersion(ctx, params);
    const items = await testsOf(ctx, version);
    const isOpen = items.some(({ state }) => state === 'processing');
    return new HttpReply({ items }, isOpen ? { 'retry-after': '2' } : {});
  }),
];

const overviews = [
  endpoint(wire.getOverview, async (ctx, { params }) => {
    const { version } = await actions.getVersion(ctx, params);
    const { view: found, isOpen } = await overviewOf(ctx, version);
    return new HttpReply(found, isOpen ? { 'retry-after': '2' } : {});
  }),
  endpoint(wire.listCauses, async (ctx, { params, query: { limit, skip, ...asked } }) => {
    const { version } = await actions.getVersion(ctx, params);
    const all = await causesOfVersion(ctx, version, asked);
    const url = `${ctx.baseUrl}${pathOf(params.email_id)}/${version.number}/findings`;
    return {
      items: all.slice(skip, skip + limit),
      paging: skipPaging(url, { ...asked, limit, skip }, all.length),
      total: all.length,
    };
  }),
  endpoint(wire.compareVersions, async (ctx, { params: { email_id }, query }) => {
    const { version: from } = await actions.getVersion(ctx, { email_id, number: query.from });
    const { version: to } = await actions.getVersion(ctx, { email_id, number: query.to });
    return comparisonOf(ctx, { from, to });
  }),
  endpoint(wire.listIgnores, async (ctx, { params }) => {
    const { id, accountId } = await actions.getEmail(ctx, params.email_id);
    const ignores = await listIgnores(ctx.db, { accountId, emailId: id }, wire.IGNORES_MAX);
    return { items: ignores.map((one) => ignoreView(one, ctx.clock.now())) };
  }),
  endpoint(wire.ignoreCause, async (ctx, { params, body }) =>
    ignoreView(await actions.ignoreCause(ctx, params, body), ctx.clock.now()),
  ),
  endpoint(wire.stopIgnoring, async (ctx, { params }) => {
    await actions.stopIgnoring(ctx, params);
    return { message: 'The finding counts again.' };
  }),
];

/** What starts tests names those that there are. */
export function endpoints(lists: Lists) {
  return [
    ...emails,
    ...versions,
    ...overviews,
    endpoint(tests.startTests(testKinds({ lists }), rulesOf({ lists })), async (ctx, { params, body }) => {
      const { version } = await actions.getVersion(ctx, params);
      const bytes = await actions.bytesOf(ctx, version);
      const { started, refused } = await startTests(ctx, { version, bytes }, body);
      return { items: await testsOf(ctx, version, started), refused };
    }),
  ];
}
