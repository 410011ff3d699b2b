// What the address of the sending rules remembers.

export const RULES = ['calendar', 'limits', 'breaker'] as const;
export type RuleName = (typeof RULES)[number];

export interface RulesSearch {
  show?: RuleName;
  domain?: string;
}

export function readRulesSearch({ show, domain }: Record<string, unknown>): RulesSearch {
  const name = RULES.find((one) => one === show && one !== 'calendar');
  return { ...(name && { show: name }), ...(typeof domain === 'string' && domain !== '' && { domain }) };
}
