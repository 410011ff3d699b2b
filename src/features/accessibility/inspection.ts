import { AXE_RULES, judge, MARK_ATTRIBUTE, markElements, type AccessibilityReport } from '../../engines/accessibility/index.ts';
import { readMessage, type StoredSource } from '../email-sources/index.ts';
import { defineInspection } from '../inspections/index.ts';

const PANE = { width: 800, height: 900, pixelRatio: 1, colorScheme: 'light', forceDark: false } as const;

/** Our rules on the source, and axe-core's in a browser, which alone knows the contrast that is really drawn. */
export const accessibilityTests = defineInspection<StoredSource, AccessibilityReport>({
  kind: 'accessibility',
  noun: 'accessibility test',
  lane: 'render',
  timeoutMs: 60_000,
  async inspect({ browser }, source, { id, signal }) {
    const { html } = await readMessage(source);
    const axe = await browser.audit({ ...PANE, html: markElements(html), scope: id, assets: async () => undefined, rules: AXE_RULES, markAttribute: MARK_ATTRIBUTE }, signal);
    const { report, findings } = judge({ html, axe });
    return { result: report, findings, summary: { checks: report.checks, passes: report.passes.length, failures: report.failures.length, needs_review: report.needs_review.length } };
  },
});
