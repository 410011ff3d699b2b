// The parts of the dashboard and their pages, as the pages themselves declare them.
import { useRouter, type AnyRoute } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { NavigationPlace, NewThing, SectionName } from '../routes.ts';
import type { Findable } from './palette.tsx';

/**
 * In the order that they are shown in: how a message looks, what is sent to whom, what became of it, whether it arrives,
 * what needs to be mended, and who may do what.
 */
const NAMES: readonly SectionName[] = ['Proof', 'Content', 'Send', 'Deliver', 'Monitor', 'Account'];

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
  return pathname === page || pathname.startsWith(`${page}/`);
}

function pageAt(sections: readonly Section[], pathname: string): PageInNavigation | undefined {
  return sections.flatMap(({ pages }) => pages).find(({ to }) => isBelow(pathname, to));
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
