import type { Outside } from '../../../platform/feature/index.ts';
import { invalid } from '../../../platform/errors/index.ts';
import { provide } from '../../../platform/ports/index.ts';
import { storedTemplates } from '../../proof/_message/index.ts';
import { findDomain } from '../sending-domains/index.ts';
import { findStored, renderStored } from './rendering.ts';

interface Wanted {
  name: string;
  version: string | undefined;
  domain: string | undefined;
  variables: Readonly<Record<string, unknown>>;
}

/** Throws `invalid_request` naming the field. */
async function fill(outside: Pick<Outside, 'db' | 'compute'>, accountId: string, wanted: Wanted) {
  const { name, version: tag, domain: domainName, variables } = wanted;
  const domain = domainName === undefined ? null : await findDomain(outside.db, accountId, domainName);
  if (domain === undefined)
    throw invalid('template.domain', `names no sending domain of this account: "${domainName?.slice(0, 100)}".`);
  const stored = await findStored(outside.db, { accountId, domainId: domain?.id ?? null, name, tag });
  if ('lacks' in stored)
    throw invalid(stored.lacks === 'version' && tag !== undefined ? 'template.version:' : 'template:', stored.why);
  const { template, headers } = stored.version;
  const subject = Object.fromEntries(Object.entries(headers).filter(([field]) => field === 'Subject'));
  const filled = await renderStored(outside, { template, headers: subject, variables, withText: false });
  return { html: filled.html, subject: filled.headers['Subject'] || undefined, missing: filled.missing };
}

/** Previews, the gate and other checks read templates by it. */
export const templatesOfTests = provide(storedTemplates, { fill });
