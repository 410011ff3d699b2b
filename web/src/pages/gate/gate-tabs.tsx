import { Link } from '@tanstack/react-router';
import reportClasses from '../../report/report.module.css';

/** Runs, and the pictures they are held against. */
export function GateTabs() {
  const props = { className: reportClasses.tab, activeProps: { 'aria-current': 'page' as const }, activeOptions: { exact: true, includeSearch: false } };
  return (
    <nav className={reportClasses.tabs} aria-label="Gate">
      <Link to="/gate" {...props}>Runs</Link>
      <Link to="/gate/baselines" {...props}>Baselines</Link>
    </nav>
  );
}
