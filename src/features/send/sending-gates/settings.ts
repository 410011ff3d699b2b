// What the gate does with messages of a domain.
import { invalid } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { policyFrom, rulesOf } from '../../proof/gate/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import { findSettings, saveSettings, type GateMode, type GateSettings, type GivenPolicy } from './store.ts';

const OFF: GateSettings = { mode: 'off', policy: null, checks: null };
/** Pictures are held against approved ones, which a message that nobody saw before has not. */
const NEEDS_BASELINE = 'screenshots';

type Doors = Pick<Context, 'config' | 'db' | 'secrets' | 'clock' | 'lists' | 'principal'>;

/** The checks that a message can be judged by before it leaves. */
export const checksOf = (outside: Pick<Outside, 'lists'>): string[] =>
  rulesOf(outside).checks.filter((check) => check !== NEEDS_BASELINE);

/** Throws `not_found`. */
export async function getSettings(doors: Doors, name: string): Promise<GateSettings & { domain: string }> {
  const { accountId } = doors.principal;
  const domain = await getDomain(doors, accountId, name);
  return { ...((await findSettings(doors.db, accountId, domain.name)) ?? OFF), domain: domain.name };
}

/**
 * Holds for messages that are accepted from then on. Throws `not_found`, and `invalid_request` naming the field of the
 * policy.
 */
export async function putSettings(
  doors: Doors,
  name: string,
  given: { mode: GateMode; policy?: unknown; checks?: readonly string[] | null | undefined },
): Promise<GateSettings & { domain: string }> {
  const { accountId } = doors.principal;
  const domain = await getDomain(doors, accountId, name);
  const { mode, policy = null, checks: named = null } = given;
  if (policy !== null) policyFrom(policy, rulesOf(doors));
  const known = checksOf(doors);
  if (named?.some((check) => !known.includes(check)))
    throw invalid('checks', `must name some of ${known.join(', ')}; screenshots need a baseline.`);
  const settings = { mode, policy: policy as GivenPolicy | null, checks: named && [...new Set(named)] };
  const updatedAt = doors.clock.now();
  await saveSettings(doors.db, accountId, { domainId: domain.id, domain: domain.name, ...settings, updatedAt });
  return { ...settings, domain: domain.name };
}
