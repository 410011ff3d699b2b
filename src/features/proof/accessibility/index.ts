// Accessibility tests: an email against WCAG 2.2 as far as it applies to email, with email's own rules beside it.
// Its images are fetched for whether they move; no rule here looks at their pixels.
import { inspectionFeature } from '../_inspections/index.ts';
import { accessibilityTests } from './inspection.ts';
import { endpoints } from './routes.ts';

export default inspectionFeature(accessibilityTests, { endpoints });
