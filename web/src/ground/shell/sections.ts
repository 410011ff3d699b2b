// The parts of the dashboard and their pages, as the pages themselves declare them.
import { useRouter, type AnyRoute } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { NavigationPlace, NewThing, SectionName } from '../routes.ts';
import type { Findable } from './palette.tsx';

/**
 * In the order that they are shown in: where work begins, whether a message is good, what became of it, what is sent to
 * whom, from where, what needs to be mended, what goes by itself, and who may do what.
 */
const NAMES: readonly SectionName[] = [
  'Start',
  'Proof',
  'Send',
  'Content',
  'Domains and IPs',
  'Monitor',
  'Automate',
  'Settings',
];

interface PageInNavigation extends Pick<NavigationPlace, 'label' | 'key' | 'newTest'> {
  to: string;
  title: string;
}

export interface Section {
  name: SectionName;
  pages: PageInNavigation[];
}

/** The parts, with those of the pages that declare a place in one. */
export function sectionsOf(routes: readonly AnyRoute[]): Section[] {
  const placed = routes.flatMap(({ fullPath, options: { staticData } }) =>
    staticData?.navigation ? [{ ...staticData.navigation, title: staticData.title ?? '', to: fullPath as string }] : [],
  );
  return NAMES.map((name) => ({
    name,
    pages: placed.filter(({ section }) => section === name).toSorted((a, b) => a.order - b.order),
  }));
}

/** {@link sectionsOf} the pages of this dashboard. */
export function useSections(): Section[] {
  const { routesById } = useRouter();
  return useMemo(() => sectionsOf(Object.values(routesById)), [routesById]);
}

function isBelow(pathname: string, page: string): boolean {
  if (page === '/') return pathname === '/';
  return pathname === page || pathname.startsWith(`${page}/`);
}

/** The page itself, the one it is below, or the one where what begins there is listed. */
function pageAt(sections: readonly Section[], pathname: string): PageInNavigation | undefined {
  const pages = sections.flatMap(({ pages: own }) => own);
  return pages.find(({ to }) => isBelow(pathname, to)) ?? pages.findLast(({ newTest }) => newTest?.to === pathname);
}

interface Crumb {
  name: string;
  to: string;
}

interface Matched {
  pathname: string;
  staticData: { title?: string; namedBy?: string };
  params: Record<string, string>;
}

/**
 * The pages above this one, from its page in the navigation downwards; none where it stands in the navigation itself.
 * `at` tells the page at a path.
 */
export function crumbsOf(
  sections: readonly Section[],
  pathname: string,
  at: (path: string) => Matched | undefined,
): Crumb[] {
  const page = pageAt(sections, pathname);
  if (!page || page.to === pathname || page.to === '/') return [];
  const below = pathname.startsWith(`${page.to}/`) ? pathname.slice(page.to.length + 1).split('/') : [];
  const between = below.slice(0, -1).flatMap((_part, place) => {
    const path = [page.to, ...below.slice(0, place + 1)].join('/');
    const match = at(path);
    if (!match?.staticData.title || match.pathname.replace(/\/$/, '') !== path) return [];
    const { title, namedBy } = match.staticData;
    return [{ name: (namedBy && match.params[namedBy]) || title, to: path }];
  });
  return [{ name: page.title, to: page.to }, ...between];
}

/** The part that a page belongs to. */
export function sectionAt(sections: readonly Section[], pathname: string): Section {
  const page = pageAt(sections, pathname);
  return sections.find(({ pages }) => page && pages.includes(page)) ?? sections[0]!;
}

/** The page that starts a new test of the current kind, and its label. */
export function newTestAt(sections: readonly Section[], pathname: string): NewThing | undefined {
  return pageAt(sections, pathname)?.newTest ?? sectionAt(sections, pathname).pages[0]?.newTest;
}

/** Everything new that can be begun, in the order of the pages; each once. */
export function newThings(sections: readonly Section[]): NewThing[] {
  const all = sections.flatMap(({ pages }) => pages).flatMap(({ newTest }) => newTest ?? []);
  return [...new Map(all.toReversed().map((thing) => [thing.to, thing])).values()].toReversed();
}

/** What the pages of this dashboard say of how their things are searched. */
export function useFindables(): Findable[] {
  const { routesById } = useRouter();
  return useMemo(
    () =>
      Object.values(routesById as Record<string, AnyRoute>).flatMap(
        ({ options: { staticData } }) => staticData?.find ?? [],
      ),
    [routesById],
  );
}
