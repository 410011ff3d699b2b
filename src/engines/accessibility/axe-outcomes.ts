// Reads what axe-core found in a browser: its rules and nodes become ours, at their places in the source.

import { sourceMark } from './mark-elements.ts';
import type { Mail, MailElement } from './read-mail.ts';
import type { Impact, RuleFacts, Spot } from './types.ts';

/** A browser's audit of a marked document; the shape of `AuditResult` in the platform, as far as it is read here. */
export interface AxeAudit {
  failures: readonly AxeRule[];
  incomplete: readonly AxeRule[];
  passes: readonly AxeRule[];
}

export interface AxeRule {
  id: string;
  tags: readonly string[];
  description: string;
  help: string;
  impact?: string;
  nodes: readonly AxeNode[];
}

interface AxeNode {
  /** Place of the nearest marked element. */
  mark?: string;
  impact?: string;
  html: string;
  any: readonly AxeCheck[];
  all: readonly AxeCheck[];
}

interface AxeCheck {
  id: string;
  message: string;
  data: Readonly<Record<string, string | number | boolean>>;
}

const IMPACTS = new Set(['minor', 'moderate', 'serious', 'critical']);

function impactOf(impact: string | undefined): Impact | undefined {
  return IMPACTS.has(impact ?? '') ? (impact as Impact) : undefined;
}

/** `wcag1412` is criterion 1.4.12. */
function criteriaOf(tags: readonly string[]): string[] {
  return tags.flatMap((tag) => {
    const match = /^wcag(\d)(\d)(\d+)$/.exec(tag);
    return match ? [`${match[1]}.${match[2]}.${match[3]}`] : [];
  });
}

/** The facts of one of axe-core's rules. */
export function factsOf({ id, tags, description, help, impact }: AxeRule): RuleFacts {
  const isBestPractice = tags.includes('best-practice');
  return {
    id,
    criteria: criteriaOf(tags),
    ...(isBestPractice ? { isBestPractice } : {}),
    impact: impactOf(impact) ?? 'moderate',
    description: sentence(description),
    fix: sentence(help),
  };
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Finds elements by their marks. */
export function elementFinder(mail: Mail): (mark: string | undefined) => MailElement | undefined {
  const byStart = new Map<number, MailElement>();
  for (const element of mail.elements)
    if (element.start !== undefined && !element.isRepeated) byStart.set(element.start, element);
  return (mark) => byStart.get(sourceMark(mark)) ?? mail.root;
}

/** One spot for each node of a rule. */
export function spotsOf(rule: AxeRule, find: (mark: string | undefined) => MailElement | undefined): Spot[] {
  return rule.nodes.flatMap((node): Spot[] => {
    const at = find(node.mark);
    if (!at) return [];
    const correctAny = node.any.map(({ message }) => sentence(message));
    const correctAll = node.all.map(({ message }) => sentence(message));
    const impact = impactOf(node.impact);
    const data = { ...node.any[0]?.data, ...node.all[0]?.data };
    return [
      {
        at,
        message: correctAny[0] ?? correctAll[0] ?? sentence(rule.help),
        correctAny,
        correctAll,
        ...(impact ? { impact } : {}),
        ...(Object.keys(data).length > 0 ? { details: data } : {}),
      },
    ];
  });
}
