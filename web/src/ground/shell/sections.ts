// The two parts of the dashboard: how a message looks, and whether it arrives.

export const SECTIONS = [
  {
    name: 'Proof',
    pages: [
      { to: '/previews', label: 'Tests' },
      { to: '/gate', label: 'Gate' },
      { to: '/clients', label: 'Clients' },
      { to: '/keys', label: 'Keys' },
    ],
  },
  {
    name: 'Deliver',
    pages: [
      { to: '/spam', label: 'Spam' },
      { to: '/placement', label: 'Placement' },
      { to: '/mailboxes', label: 'Mailboxes' },
      { to: '/domains', label: 'Domains' },
    ],
  },
] as const;

export type Section = (typeof SECTIONS)[number];

function isBelow(pathname: string, page: string): boolean {
  return pathname === page || pathname.startsWith(`${page}/`);
}

/** The part that a page belongs to. */
export function sectionAt(pathname: string): Section {
  return SECTIONS.find(({ pages }) => pages.some(({ to }) => isBelow(pathname, to))) ?? SECTIONS[0];
}

/** Where a new test of the kind at hand begins. */
export function newTestAt(pathname: string): '/new' | '/gate/new' | '/spam/new' | '/placement/new' {
  if (['/placement', '/domains'].some((page) => isBelow(pathname, page))) return '/placement/new';
  if (isBelow(pathname, '/gate')) return '/gate/new';
  return sectionAt(pathname).name === 'Deliver' ? '/spam/new' : '/new';
}
