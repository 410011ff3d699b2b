// Accessibility tests check an email against the rules of WCAG 2.2 that apply to email, and against rules for email.
// Its images are fetched for whether they move; no rule here looks at their pixels.
import { inspectionFeature } from '../_inspections/index.ts';
import { accessibilityTests } from './inspection.ts';
import { endpoints } from './routes.ts';

export default inspectionFeature(accessibilityTests, { endpoints });
