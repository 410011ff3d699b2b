// What public lists say of an address (data/address-lists).
import disposable from '../../../data/address-lists/disposable-domains.json' with { type: 'json' };
import roles from '../../../data/address-lists/role-names.json' with { type: 'json' };

/** The days of the lists. */
export const DISPOSABLE_DATE = '2026-08-21';
export const ROLES_DATE = '2025-03-26';

const DISPOSABLE: ReadonlySet<string> = new Set(disposable);
const ROLES: ReadonlySet<string> = new Set(roles);

/** Whether the domain, or one that it is part of, gives mailboxes that nobody keeps. */
export function isDisposable(domain: string): boolean {
  const labels = domain.split('.');
  return labels.some((_label, place) => DISPOSABLE.has(labels.slice(place).join('.')));
}

/** Whether the part before the @ stands for a task, whatever tag follows it. */
export function isRole(local: string): boolean {
  const name = local.toLowerCase();
  return ROLES.has(name) || ROLES.has(name.replace(/\+.*$/s, ''));
}
