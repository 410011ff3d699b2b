import { invalid } from '../../platform/errors/index.ts';

/** Refuses U+0000 in fields that become columns, which cannot hold it. Throws `invalid_request`. */
export function refuseNull(fields: Readonly<Record<string, unknown>>): void {
  for (const [field, value] of Object.entries(fields)) {
    if ([value].flat().some((text) => typeof text === 'string' && text.includes('\0'))) throw invalid(field, 'must not hold the character U+0000.');
  }
}
