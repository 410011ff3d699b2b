// Whether a domain meets Google's requirements of senders: `DomainComplianceStatus` of Postmaster Tools v2 (reference of
// domains.getComplianceStatus, April 2026; `deliverabilityStatusVerdict` is a preview of the discovery document). What
// Google does not say is null, and so is a state that the document does not name; requirements and reasons keep the names
// that Google gives them.
import type { Compliance, ComplianceState, ComplianceStatus, Verdict } from './compliance-store.ts';

const STATES: Readonly<Record<string, ComplianceState>> = { COMPLIANT: 'compliant', NEEDS_WORK: 'needs_work' };
const LIST_MAX = 50;

const objectIn = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** A name of Google's enumerations; null for `…_UNSPECIFIED` and for what is none. */
function nameIn(value: unknown): string | null {
  if (typeof value !== 'string' || !/^[A-Z][A-Z0-9_]{1,59}$/.test(value)) return null;
  return value.endsWith('_UNSPECIFIED') ? null : value.toLowerCase();
}

function stateIn(status: unknown): ComplianceState | null {
  const name = objectIn(status)['status'];
  return typeof name === 'string' && Object.hasOwn(STATES, name) ? (STATES[name] as ComplianceState) : null;
}

function verdictIn(given: unknown, stateField: 'status' | 'state'): Verdict | null {
  const verdict = objectIn(given);
  const [state, reason] = [stateIn(verdict[stateField]), nameIn(verdict['reason'])];
  return state === null && reason === null ? null : { state, reason };
}

function complianceIn(given: unknown): Compliance | null {
  const data = objectIn(given);
  const { domainId, rowData } = data;
  if (typeof domainId !== 'string' || domainId === '' || domainId.length > 255) return null;
  const rows = (Array.isArray(rowData) ? rowData : []).slice(0, LIST_MAX).map(objectIn);
  return {
    domain: domainId.toLowerCase(),
    requirements: rows.flatMap(({ requirement, status }) => {
      const name = nameIn(requirement);
      return name === null ? [] : [{ requirement: name, state: stateIn(status) }];
    }),
    deliverability: verdictIn(data['deliverabilityStatusVerdict'], 'state'),
    oneClickUnsubscribe: verdictIn(data['oneClickUnsubscribeVerdict'], 'status'),
    honorUnsubscribe: verdictIn(data['honorUnsubscribeVerdict'], 'status'),
  };
}

/** Google's answer; null where it says nothing of any domain. */
export function complianceStatus(answer: Record<string, unknown>): ComplianceStatus | null {
  const organizational = complianceIn(answer['complianceData']);
  const subdomain = complianceIn(answer['subdomainComplianceData']);
  return organizational || subdomain ? { organizational, subdomain } : null;
}
