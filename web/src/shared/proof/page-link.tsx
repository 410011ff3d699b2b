import { Link } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

interface PageLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A whole path: a test's own pages and its shared ones differ in where they lie. */
  path: string;
  /** Parts of the search to change; the rest stays. */
  search?: Record<string, unknown>;
  'data-client'?: string;
  ref?: Ref<HTMLAnchorElement>;
}

/** A link between the pages of a test, which keeps the filters. */
export function PageLink({ path, search, ...rest }: PageLinkProps) {
  return <Link to={path as '/'} search={((before: object) => ({ ...before, ...search })) as never} {...rest} />;
}
