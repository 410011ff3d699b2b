import { Link } from '@tanstack/react-router';
import reportClasses from '../../../shared/report/report.module.css';
import { TabNav } from '../../../shared/report/tab-nav.tsx';

/** Runs, and the pictures they are held against. */
export function GateTabs() {
  const props = {
    className: reportClasses.tab,
    activeProps: { 'aria-current': 'page' as const },
    activeOptions: { exact: true, includeSearch: false },
  };
  return (
    <TabNav label="Gate">
      <Link to="/gate" {...props}>
        Runs
      </Link>
      <Link to="/gate/baselines" {...props}>
        Baselines
      </Link>
    </TabNav>
  );
}
