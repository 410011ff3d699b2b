import { endpoint } from '../../../platform/feature/index.ts';
import { escaped, plainPage, type HttpReply } from '../../../platform/http/index.ts';
import { leave, showLeave } from './leave-contract.ts';
import { findReader, leaveList } from './leave.ts';
import type { MailingList } from './store.ts';

interface Shown {
  list: MailingList;
  address: string;
}

const nameOf = ({ list }: Shown): string =>
  list.name === '' ? `<b>${escaped(list.address)}</b>` : `<b>${escaped(list.name)}</b> (${escaped(list.address)})`;

/** What the list is, and how to leave it; the button posts to the page's own address. */
const questionPage = (shown: Shown): HttpReply =>
  plainPage(
    'Leave the mailing list?',
    (shown.list.description === '' ? '' : `<p>${escaped(shown.list.description)}</p>`) +
      `<p><b>${escaped(shown.address)}</b> will no longer get what is sent to ${nameOf(shown)}.</p>` +
      '<form method="post"><button type="submit">Leave the list</button></form>' +
      '<p class="dim"><br>Not you? Close this page, and nothing changes.</p>',
  );

const donePage = (shown: Shown): HttpReply =>
  plainPage(
    'You left the list',
    `<p><b>${escaped(shown.address)}</b> will no longer get what is sent to ${nameOf(shown)}.</p>`,
  );

const unknownPage = (): HttpReply =>
  plainPage(
    'This link does not work',
    '<p>It is incomplete, or the message or its mailing list is gone. Nothing has changed.</p>',
    404,
  );

export const leaveEndpoints = [
  endpoint(showLeave, async (ctx, { params }) => {
    const reader = await findReader(ctx, params.token);
    return reader ? questionPage(reader) : unknownPage();
  }),
  endpoint(leave, async (ctx, { params }) => {
    const reader = await findReader(ctx, params.token);
    if (!reader) return unknownPage();
    await leaveList(ctx, reader, { ip: ctx.address });
    return donePage(reader);
  }),
];
