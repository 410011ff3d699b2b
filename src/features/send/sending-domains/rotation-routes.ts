import { endpoint, type Outside } from '../../../platform/feature/index.ts';
import { mailDate } from '../../../platform/times/index.ts';
import type { StoredKey } from './key-store.ts';
import { isPublished, ownRecord } from './records.ts';
import * as contracts from './rotation-contract.ts';
import { rotateNow, setRotation, type Rotating } from './rotation.ts';

function commentOf({ isActive, isNext, retiresAt }: StoredKey): string {
  if (isActive) return 'This key signs.';
  if (isNext) return 'This key signs next; publish its record.';
  return retiresAt === null
    ? 'This key does not sign.'
    : `This key signs no longer; leave its record until ${mailDate(retiresAt)}.`;
}

function rotationView({ config }: Pick<Outside, 'config'>, { domain, keys, isEnabled, intervalDays, state }: Rotating) {
  const active = keys.find(({ isActive }) => isActive);
  const shown = keys.filter(isPublished);
  return {
    id: domain.id,
    account_id: domain.accountId,
    sid: domain.id,
    name: domain.name,
    state,
    ...(active && { active_selector: active.selector }),
    rotation_enabled: isEnabled ? ('true' as const) : ('false' as const),
    rotation_interval: `${intervalDays}d`,
    records: shown.map((key) => {
      const { name, type, value } = ownRecord(domain, key, config.dns.keysZone);
      return { name, type, identifier: key.selector, value, comment: commentOf(key) };
    }),
  };
}

/** Of rotating keys. */
export const rotationEndpoints = [
  endpoint(contracts.putRotation, async (ctx, { params, body }) => {
    const wanted = { name: params.name, isEnabled: body.rotation_enabled, interval: body.rotation_interval };
    return { domain: rotationView(ctx, await setRotation(ctx, ctx.principal.accountId, wanted)) };
  }),
  endpoint(contracts.postRotate, async (ctx, { params }) => {
    await rotateNow(ctx, ctx.principal.accountId, params.name);
    return { message: 'ok' };
  }),
];
