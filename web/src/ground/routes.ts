// The two routes that every page stands under, and what a page says of itself. The router gives them
// their components, so that set-up can read the pages of every resource without drawing one.
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Find } from './find.ts';
import type { FindNeeds } from './needs.ts';
import { NotLoadedError } from './not-loaded.ts';

/** A group of the sidebar; that of `Start` has no heading. */
export type SectionName =
  | 'Start'
  | 'Proof'
  | 'Send'
  | 'Content'
  | 'Domains and IPs'
  | 'Monitor'
  | 'Automate'
  | 'Settings';

/** A page where something new begins. */
export interface NewThing {
  to: string;
  /** The button of its own pages. */
  label: string;
  /** What begins, where it stands among others: `Spam test`. */
  what: string;
}

/** The place of a page in the navigation. */
export interface NavigationPlace {
  section: SectionName;
  /** Within the section, from the top. */
  order: number;
  label: string;
  /** Opens the page from everywhere. */
  key?: string;
  /** What "New test" opens from this page and those below it. Default: that of the first page of the section. */
  newTest?: NewThing;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** What the browser's tab says until the page knows better. */
    title?: string;
    navigation?: NavigationPlace;
    /** What stands for the page above those below it: the value of this part of its address instead of its title. */
    namedBy?: string;
    /** It fills the window and has its own way back. */
    isWhole?: boolean;
    /** Things that the search over everything finds, by their name in the plural. Loaded at the first search. */
    find?: { of: string; load: () => Promise<Find> };
    /** Things that need somebody, by their name in the plural, as the first page lists them; the lowest order first. */
    needs?: readonly { of: string; order: number; load: () => Promise<FindNeeds> }[];
  }
}

export interface RouterContext {
  queryClient: QueryClient;
  /** Sends visitors who have not signed in to the sign-in page. */
  admit(location: { pathname: string; href: string }): Promise<void>;
}

/** Every page. */
export const root = createRootRouteWithContext<RouterContext>()();

/** The pages of someone who signed in. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: ({ context, location }) => context.admit(location),
});

/**
 * A page that is loaded when it is opened. The router would load the whole document anew where that fails:
 * without a network that leaves a page of the browser's, so that the failure gets a name of its own.
 */
export const laterPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (error) {
      throw new NotLoadedError(error);
    }
  }, name);
