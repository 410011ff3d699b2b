import { Link } from '@tanstack/react-router';
import reportClasses from '../../../shared/report/report.module.css';
import { TabNav } from '../../../shared/report/tab-nav.tsx';

/** Tests, and the lists of seeds they go to. */
export function PlacementTabs() {
  const props = {
    className: reportClasses.tab,
    activeProps: { 'aria-current': 'page' as const },
    activeOptions: { exact: true, includeSearch: false },
  };
  return (
    <TabNav label="Inbox placement">
      <Link to="/placement" {...props}>
        Tests
      </Link>
      <Link to="/placement/lists" {...props}>
        Seed lists
      </Link>
    </TabNav>
  );
}
