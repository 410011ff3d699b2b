import type { Severity } from './report-api.ts';

export const SEVERITY_ORDER: Record<Severity, number> = { error: 0, warning: 1, info: 2, pass: 3 };
