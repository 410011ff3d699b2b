// Every page and its address. Pages that are not needed at first are loaded when they are opened.
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { NotLoadedError, sessionQuery, statusOf } from './ground/api.ts';
import { readCompareSearch, readProofSearch } from './shared/proof/proof-search.ts';
import { readNewGateSearch, readPictureSearch, readRunSearch } from './areas/proof/gate/gate-search.ts';
import { readFindingsSearch } from './shared/findings/findings-search.ts';
import {
  readNewSearch,
  readPageSearch,
  readResultsSearch,
} from './areas/placement/inbox-placement/placement-search.ts';
import { readTestsSearch } from './areas/proof/previews/list/tests-search.ts';
import { readPartSearch, readSpamSearch } from './areas/proof/spam-tests/spam-search.ts';
import { RouteFailure } from './ground/shell/failure.tsx';
import { NoSuchPage, NothingHere } from './ground/shell/no-such-page.tsx';
import { Shell } from './ground/shell/shell.tsx';

/**
 * A page that is loaded when it is opened. The router would load the whole document anew where that fails:
 * without a network that leaves a page of the browser's, so that the failure gets a name of its own.
 */
const laterPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (error) {
      throw new NotLoadedError(error);
    }
  }, name);

/** What the address of the catalogue remembers. */
function readClientsSearch({ q, made }: Record<string, unknown>): { q?: string; made?: string } {
  return {
    ...((typeof q === 'string' || typeof q === 'number') && { q: String(q) }),
    ...(typeof made === 'string' && { made }),
  };
}

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NoSuchPage,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: laterPage(() => import('./areas/account/sessions/sign-in-page.tsx'), 'SignInPage'),
  validateSearch: (search: Record<string, unknown>): { from?: string } =>
    typeof search['from'] === 'string' ? { from: search['from'] } : {},
});

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  errorComponent: RouteFailure,
  async beforeLoad({ context, location }) {
    try {
      await context.queryClient.ensureQueryData(sessionQuery);
    } catch (error) {
      if (statusOf(error) !== 401) throw error;
      throw redirect({
        to: '/sign-in',
        search: location.pathname === '/' ? {} : { from: location.href },
        replace: true,
      });
    }
  },
});

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/previews', replace: true });
  },
});
const previews = createRoute({
  getParentRoute: () => shell,
  path: '/previews',
  component: laterPage(() => import('./areas/proof/previews/list/previews-page.tsx'), 'PreviewsPage'),
  validateSearch: readTestsSearch,
});
const create = createRoute({
  getParentRoute: () => shell,
  path: '/new',
  component: laterPage(() => import('./areas/proof/previews/new/new-preview-page.tsx'), 'NewPreviewPage'),
});
const clients = createRoute({
  getParentRoute: () => shell,
  path: '/clients',
  component: laterPage(() => import('./areas/proof/preview-clients/clients-page.tsx'), 'ClientsPage'),
  validateSearch: readClientsSearch,
});
const keys = createRoute({
  getParentRoute: () => shell,
  path: '/keys',
  component: laterPage(() => import('./areas/account/keys/keys-page.tsx'), 'KeysPage'),
});

const gates = createRoute({
  getParentRoute: () => shell,
  path: '/gate',
  component: laterPage(() => import('./areas/proof/gate/gates-page.tsx'), 'GatesPage'),
  validateSearch: readPageSearch,
});
const newGate = createRoute({
  getParentRoute: () => shell,
  path: '/gate/new',
  component: laterPage(() => import('./areas/proof/gate/new-gate-page.tsx'), 'NewGatePage'),
  validateSearch: readNewGateSearch,
});
const baselines = createRoute({
  getParentRoute: () => shell,
  path: '/gate/baselines',
  component: laterPage(() => import('./areas/proof/gate/baselines-page.tsx'), 'BaselinesPage'),
});
const gate = createRoute({
  getParentRoute: () => shell,
  path: '/gate/$gateId',
  component: laterPage(() => import('./areas/proof/gate/gate-page.tsx'), 'GatePage'),
  validateSearch: readRunSearch,
});
const gateClient = createRoute({
  getParentRoute: () => shell,
  path: '/gate/$gateId/client/$clientId',
  component: laterPage(() => import('./areas/proof/gate/gate-client-page.tsx'), 'GateClientPage'),
  validateSearch: readPictureSearch,
});

const spam = createRoute({
  getParentRoute: () => shell,
  path: '/spam',
  component: laterPage(() => import('./areas/proof/spam-tests/spam-page.tsx'), 'SpamPage'),
  validateSearch: readSpamSearch,
});
const newSpam = createRoute({
  getParentRoute: () => shell,
  path: '/spam/new',
  component: laterPage(() => import('./areas/proof/spam-tests/new-spam-page.tsx'), 'NewSpamPage'),
});
const spamTest = createRoute({
  getParentRoute: () => shell,
  path: '/spam/$spamTestId',
  component: laterPage(() => import('./areas/proof/spam-tests/spam-test-page.tsx'), 'SpamTestPage'),
  validateSearch: readPartSearch,
});
const placement = createRoute({
  getParentRoute: () => shell,
  path: '/placement',
  component: laterPage(() => import('./areas/placement/inbox-placement/placement-page.tsx'), 'PlacementPage'),
  validateSearch: readResultsSearch,
});
const newPlacement = createRoute({
  getParentRoute: () => shell,
  path: '/placement/new',
  component: laterPage(() => import('./areas/placement/inbox-placement/new-placement-page.tsx'), 'NewPlacementPage'),
  validateSearch: readNewSearch,
});
const placementResult = createRoute({
  getParentRoute: () => shell,
  path: '/placement/$resultId',
  component: laterPage(() => import('./areas/placement/inbox-placement/result-page.tsx'), 'ResultPage'),
});
const seedLists = createRoute({
  getParentRoute: () => shell,
  path: '/placement/lists',
  component: laterPage(() => import('./areas/placement/inbox-placement/seed-lists-page.tsx'), 'SeedListsPage'),
  validateSearch: readPageSearch,
});
const seedList = createRoute({
  getParentRoute: () => shell,
  path: '/placement/lists/$address',
  component: laterPage(() => import('./areas/placement/inbox-placement/seed-list-page.tsx'), 'SeedListPage'),
});
const mailboxes = createRoute({
  getParentRoute: () => shell,
  path: '/mailboxes',
  component: laterPage(() => import('./areas/proof/_seeds/mailboxes-page.tsx'), 'MailboxesPage'),
});
const domains = createRoute({
  getParentRoute: () => shell,
  path: '/domains',
  component: laterPage(() => import('./areas/send/sending-domains/domains-page.tsx'), 'DomainsPage'),
});
const domain = createRoute({
  getParentRoute: () => shell,
  path: '/domains/$domain',
  component: laterPage(() => import('./areas/send/sending-domains/domain-page.tsx'), 'DomainPage'),
});
const sharedPlacement = createRoute({
  getParentRoute: () => root,
  path: '/shared-placement/$shareId',
  component: laterPage(() => import('./areas/placement/inbox-placement/shared-result-page.tsx'), 'SharedResultPage'),
});

const clientView = laterPage(() => import('./shared/client-view/client-view-page.tsx'), 'ClientViewPage');
const comparison = laterPage(() => import('./shared/compare/compare-page.tsx'), 'ComparePage');

const preview = createRoute({
  getParentRoute: () => shell,
  path: '/previews/$testId',
  component: laterPage(() => import('./areas/proof/previews/test/preview-layout.tsx'), 'PreviewLayout'),
  errorComponent: RouteFailure,
  validateSearch: readProofSearch,
});
const report = createRoute({
  getParentRoute: () => preview,
  id: 'report',
  component: laterPage(() => import('./areas/proof/previews/test/report-layout.tsx'), 'ReportLayout'),
});
const previewGrid = createRoute({
  getParentRoute: () => report,
  path: '/',
  component: laterPage(() => import('./areas/proof/previews/test/preview-page.tsx'), 'PreviewPage'),
});
const findings = createRoute({
  getParentRoute: () => report,
  path: '/findings',
  component: laterPage(() => import('./areas/proof/previews/findings/findings-page.tsx'), 'FindingsPage'),
  validateSearch: readFindingsSearch,
});
const links = createRoute({
  getParentRoute: () => report,
  path: '/links',
  component: laterPage(() => import('./areas/proof/links/links-page.tsx'), 'LinksPage'),
});
const images = createRoute({
  getParentRoute: () => report,
  path: '/images',
  component: laterPage(() => import('./areas/proof/images/images-page.tsx'), 'ImagesPage'),
});
const accessibility = createRoute({
  getParentRoute: () => report,
  path: '/accessibility',
  component: laterPage(() => import('./areas/proof/accessibility/accessibility-page.tsx'), 'AccessibilityPage'),
});
const code = createRoute({
  getParentRoute: () => report,
  path: '/code',
  component: laterPage(() => import('./areas/proof/code-analysis/code-page.tsx'), 'CodePage'),
});
const previewClient = createRoute({ getParentRoute: () => preview, path: '/client/$clientId', component: clientView });
const previewCompare = createRoute({
  getParentRoute: () => preview,
  path: '/compare',
  component: comparison,
  validateSearch: readCompareSearch,
});

const share = createRoute({
  getParentRoute: () => root,
  path: '/share/$uuid',
  component: laterPage(() => import('./areas/proof/preview-sharing/share-layout.tsx'), 'ShareLayout'),
  validateSearch: readProofSearch,
});
const shareGrid = createRoute({
  getParentRoute: () => share,
  path: '/',
  component: laterPage(() => import('./areas/proof/preview-sharing/share-page.tsx'), 'SharePage'),
});
const shareClient = createRoute({ getParentRoute: () => share, path: '/client/$clientId', component: clientView });
const shareCompare = createRoute({
  getParentRoute: () => share,
  path: '/compare',
  component: comparison,
  validateSearch: readCompareSearch,
});

const tree = root.addChildren([
  signIn,
  shell.addChildren([
    home,
    previews,
    create,
    clients,
    keys,
    gates,
    newGate,
    baselines,
    gate,
    gateClient,
    spam,
    newSpam,
    spamTest,
    placement,
    newPlacement,
    placementResult,
    seedLists,
    seedList,
    mailboxes,
    domains,
    domain,
    preview.addChildren([
      report.addChildren([previewGrid, findings, links, images, accessibility, code]),
      previewClient,
      previewCompare,
    ]),
  ]),
  share.addChildren([shareGrid, shareClient, shareCompare]),
  sharedPlacement,
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queryClient },
    scrollRestoration: true,
    // All pictures of a test lie where they were left, whichever way the reader comes back to them.
    getScrollRestorationKey: ({ pathname, state }) =>
      /^\/(?:previews|share)\//.test(pathname) ? pathname : (state.__TSR_key ?? pathname),
    defaultPreload: 'intent',
    defaultErrorComponent: RouteFailure,
    defaultNotFoundComponent: NothingHere,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
