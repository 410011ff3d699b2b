import { endpoint } from '../../../platform/feature/index.ts';
import { plainIp } from '../../../platform/network/index.ts';
import { pageOfGiven } from '../sending-ips/index.ts';
import * as contracts from './subaccount-contract.ts';
import { changeGiven } from './subaccount-ips.ts';

/** More subaccounts than these are `queued` in the words of the published interface. */
const AT_ONCE = 100;

const list = (given: string | readonly string[] | undefined): string[] => [given ?? []].flat();

export const subaccountEndpoints = [
  endpoint(contracts.listSubaccountIps, async (ctx, { query: { ip, subaccount_id: subaccountId, ...page } }) => {
    const wanted = { ip: ip === undefined ? undefined : (plainIp(ip) ?? ip), subaccountId, ...page };
    const { items, total } = await pageOfGiven(ctx.db, ctx.principal.accountId, wanted);
    return {
      items: items.map((one) => ({ ip: one.ip, subaccount_id: one.subaccountId })),
      total_count: total,
    };
  }),
  endpoint(contracts.patchSubaccountIps, async (ctx, { body }) => {
    const ids = list(body.subaccount_id);
    await changeGiven(ctx, ctx.principal.accountId, {
      subaccountIds: ids,
      isForAll: body.all_subaccounts,
      give: list(body.link_ip),
      takeBack: list(body.unlink_ip),
    });
    return { message: body.all_subaccounts || ids.length > AT_ONCE ? 'queued' : 'success' };
  }),
];
