import { Link, useMatches, useRouter, type AnyRouteMatch } from '@tanstack/react-router';
import classes from './crumbs.module.css';
import { crumbsOf, type Section } from './sections.ts';

/** The way from the navigation down to a page that does not stand in it. */
export function Crumbs({ sections, pathname }: { sections: readonly Section[]; pathname: string }) {
  const router = useRouter();
  const isWhole = useMatches({ select: (matches) => matches.at(-1)?.staticData.isWhole === true });
  const at = (path: string): AnyRouteMatch | undefined =>
    router.matchRoutes({ ...router.latestLocation, pathname: path, href: path, search: {} }).at(-1);
  const crumbs = isWhole ? [] : crumbsOf(sections, pathname, at);
  if (crumbs.length === 0) return null;
  return (
    <nav aria-label="Breadcrumbs" className={classes.crumbs}>
      <ol>
        {crumbs.map(({ name, to }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: true }}>
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
