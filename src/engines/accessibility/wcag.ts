// The success criteria of WCAG 2.2 that emails can meet or miss (W3C Recommendation, 5 October 2023).

import type { Principle, RuleFacts } from './types.ts';

interface Criterion {
  title: string;
  level: 'A' | 'AA' | 'AAA';
  /** The version that brought it. */
  since: '2' | '2.1' | '2.2';
}

const CRITERIA: Readonly<Record<string, Criterion>> = {
  '1.1.1': { title: 'Non-text Content', level: 'A', since: '2' },
  '1.2.1': { title: 'Audio-only and Video-only (Prerecorded)', level: 'A', since: '2' },
  '1.2.2': { title: 'Captions (Prerecorded)', level: 'A', since: '2' },
  '1.3.1': { title: 'Info and Relationships', level: 'A', since: '2' },
  '1.3.2': { title: 'Meaningful Sequence', level: 'A', since: '2' },
  '1.3.4': { title: 'Orientation', level: 'AA', since: '2.1' },
  '1.3.5': { title: 'Identify Input Purpose', level: 'AA', since: '2.1' },
  '1.4.1': { title: 'Use of Color', level: 'A', since: '2' },
  '1.4.2': { title: 'Audio Control', level: 'A', since: '2' },
  '1.4.3': { title: 'Contrast (Minimum)', level: 'AA', since: '2' },
  '1.4.4': { title: 'Resize Text', level: 'AA', since: '2' },
  '1.4.5': { title: 'Images of Text', level: 'AA', since: '2' },
  '1.4.6': { title: 'Contrast (Enhanced)', level: 'AAA', since: '2' },
  '1.4.8': { title: 'Visual Presentation', level: 'AAA', since: '2' },
  '1.4.12': { title: 'Text Spacing', level: 'AA', since: '2.1' },
  '2.1.1': { title: 'Keyboard', level: 'A', since: '2' },
  '2.1.3': { title: 'Keyboard (No Exception)', level: 'AAA', since: '2' },
  '2.2.1': { title: 'Timing Adjustable', level: 'A', since: '2' },
  '2.2.2': { title: 'Pause, Stop, Hide', level: 'A', since: '2' },
  '2.2.4': { title: 'Interruptions', level: 'AAA', since: '2' },
  '2.3.1': { title: 'Three Flashes or Below Threshold', level: 'A', since: '2' },
  '2.4.1': { title: 'Bypass Blocks', level: 'A', since: '2' },
  '2.4.2': { title: 'Page Titled', level: 'A', since: '2' },
  '2.4.3': { title: 'Focus Order', level: 'A', since: '2' },
  '2.4.4': { title: 'Link Purpose (In Context)', level: 'A', since: '2' },
  '2.4.6': { title: 'Headings and Labels', level: 'AA', since: '2' },
  '2.4.9': { title: 'Link Purpose (Link Only)', level: 'AAA', since: '2' },
  '2.4.10': { title: 'Section Headings', level: 'AAA', since: '2' },
  '2.5.3': { title: 'Label in Name', level: 'A', since: '2.1' },
  '2.5.5': { title: 'Target Size (Enhanced)', level: 'AAA', since: '2.1' },
  '2.5.8': { title: 'Target Size (Minimum)', level: 'AA', since: '2.2' },
  '3.1.1': { title: 'Language of Page', level: 'A', since: '2' },
  '3.1.2': { title: 'Language of Parts', level: 'AA', since: '2' },
  '3.1.4': { title: 'Abbreviations', level: 'AAA', since: '2' },
  '3.2.5': { title: 'Change on Request', level: 'AAA', since: '2' },
  '3.3.2': { title: 'Labels or Instructions', level: 'A', since: '2' },
  '4.1.2': { title: 'Name, Role, Value', level: 'A', since: '2' },
};

const PRINCIPLES: readonly Principle[] = ['Perceivable', 'Operable', 'Understandable', 'Robust'];

type Filed = Pick<RuleFacts, 'criteria' | 'isBestPractice' | 'principle'>;

/** Whether the table has this criterion. */
function isCriterion(number: string): boolean {
  return Object.hasOwn(CRITERIA, number);
}

/**
 * How a rule is filed: `standards`, `pour` and `compliance` of the wire. Criteria that the table lacks are left out.
 */
export function filingOf({ criteria, isBestPractice = false, principle = 'Robust' }: Filed): {
  standards: string[];
  pour: string[];
  compliance: string[];
} {
  const known = criteria.filter(isCriterion);
  const standards =
    isBestPractice || known.length === 0
      ? ['Best Practice']
      : known.map((number) => `WCAG ${CRITERIA[number]!.since}${CRITERIA[number]!.level}`);
  const pour = known.map((number) => PRINCIPLES[Number(number[0]) - 1]!);
  return {
    standards: [...new Set(standards)],
    pour: pour.length > 0 ? [...new Set(pour)] : [principle],
    compliance: known.map((number) => `${number} ${CRITERIA[number]!.title}`),
  };
}

/** `1.1.1 Non-text Content (WCAG 2A)`, for a finding's source. */
export function sourceOf(rule: Filed): string {
  const { standards, compliance } = filingOf(rule);
  return compliance.length > 0 ? `${compliance.join(', ')} (${standards.join(', ')})` : standards.join(', ');
}
