import {
  AXE_RULES,
  MARK_ATTRIBUTE,
  type AccessibilityReport,
  type DarkVariant,
  type JudgedVariant,
} from '../../../engines/accessibility/index.ts';
import type { Finding } from '../../../engines/findings/index.ts';
import { RenderError, type AuditRequest, type AuditResult } from '../../../platform/browser/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { nameOfSource, type StoredSource } from '../_message/index.ts';
import { defineInspection } from '../_inspections/index.ts';
import { judgeMessage, prepareMessage } from './computations.ts';
import { PATH, Report, TAG } from './contract.ts';
import { imageMotions } from './image-motion.ts';

/** The report, and what it stands on. */
interface AccessibilityResult extends AccessibilityReport {
  /** Rule engine and browser; null for a message that is beyond a browser's limits, judged by its source alone. */
  measured_by: string | null;
  /** Kinds of dark mode in which contrast was checked. */
  dark_modes: number;
}

const PANE = { width: 800, height: 900, pixelRatio: 1, assets: async () => undefined, markAttribute: MARK_ATTRIBUTE };
/**
 * A browser looks at each kind of dark mode for itself; of longer messages, which Gmail cuts anyway, the styles tell.
 */
const MEASURED_LENGTH_MAX = 110_000;

/** Audits are bounded by what they compute: this is for those that wait for a browser behind others. */
const TIMEOUT_MS = 300_000;

const EMPTY: AccessibilityReport = { checks: 0, passes: [], failures: [], needs_review: [] };
const NO_HTML: Finding = {
  rule: 'accessibility/no-html',
  severity: 'info',
  message: 'The message has no HTML part; its text is as accessible as the program that shows it.',
};

type Run = { id: string; signal: AbortSignal };
type Pane = Pick<AuditRequest, 'html' | 'colorScheme' | 'forceDark' | 'rules'> & { width?: number };

/** Undefined for documents that the rule engine cannot take, or not in time: another try would end no better. */
async function audited(
  { browser }: Pick<Outside, 'browser'>,
  pane: Pane,
  { id, signal }: Run,
): Promise<AuditResult | undefined> {
  try {
    return await browser.audit({ ...PANE, ...pane, scope: id }, signal);
  } catch (error) {
    if (error instanceof RenderError && (error.isOfDocument || error.reason === 'load_failed')) return undefined;
    throw error;
  }
}

/** The message in every kind of dark mode, measured where the browser can. */
async function darkModes(
  outside: Pick<Outside, 'browser'>,
  variants: readonly DarkVariant[],
  { isMeasured, ...run }: Run & { isMeasured: boolean },
): Promise<JudgedVariant[]> {
  return Promise.all(
    variants.map(async (variant): Promise<JudgedVariant> => {
      const { widthPx: width, forceDark, html: shown } = variant;
      const audit = isMeasured
        ? await audited(outside, { html: shown, width, forceDark, colorScheme: 'dark', rules: ['color-contrast'] }, run)
        : undefined;
      return audit ? { variant, audit } : { variant };
    }),
  );
}

/**
 * Our rules on the source, and axe-core's in a browser, which alone knows the contrast that is really drawn: in the
 * light, and after each client's dark mode.
 */
export const accessibilityTests = defineInspection<StoredSource, AccessibilityResult, 'browser' | 'compute' | 'fetch'>({
  kind: 'accessibility',
  noun: 'accessibility test',
  lane: 'render',
  timeoutMs: TIMEOUT_MS,
  listing: {
    path: PATH,
    label: 'Accessibility',
    about: 'Checks WCAG 2.2 and rules for email, and offers repairs.',
    tag: { name: TAG, about: 'Checks an email by the rules of WCAG that hold for email, and repairs what it can.' },
    shows: { result: Report, counts: ['checks', 'passes', 'failures', 'needs_review'] },
    page: 'accessibility',
    contentChecking: { field: 'accessibility', order: 30 },
    gate: { check: 'accessibility', order: 40, groups: { accessibility: 'Accessibility' } },
  },
  nameOf: nameOfSource,
  async inspect(outside, source, run) {
    const { compute } = outside;
    const { signal } = run;
    const message = await compute.run(prepareMessage, source, { signal });
    const { html, subject, hasText } = message;
    if (html.trim() === '')
      return {
        result: { ...EMPTY, measured_by: null, dark_modes: 0 },
        findings: [NO_HTML],
        summary: { checks: 0, passes: 0, failures: 0, needs_review: 0 },
      };
    const [axe, images] = await Promise.all([
      message.isShown
        ? audited(outside, { html: message.marked, colorScheme: 'light', forceDark: false, rules: AXE_RULES }, run)
        : undefined,
      imageMotions(outside, message, signal),
    ]);
    const dark = await darkModes(outside, message.dark, {
      ...run,
      isMeasured: axe !== undefined && html.length <= MEASURED_LENGTH_MAX,
    });
    const request = {
      html,
      dark,
      images,
      ...(subject !== undefined && { subject }),
      ...(hasText !== undefined && { hasText }),
      ...(axe && { axe }),
    };
    const { report, findings } = await compute.run(judgeMessage, request, { signal });
    return {
      result: { ...report, measured_by: axe ? `${axe.engine}, ${axe.browser}` : null, dark_modes: dark.length },
      findings,
      summary: {
        checks: report.checks,
        passes: report.passes.length,
        failures: report.failures.length,
        needs_review: report.needs_review.length,
      },
    };
  },
});
