// What the data does not say of its features: what they do, what is lost without them, what to write instead.

import { aboutCss } from './about-css.ts';
import { aboutCssSyntax } from './about-css-syntax.ts';
import { aboutHtml } from './about-html.ts';

/**
 * What a reader loses without the feature: part of the message or its use; its arrangement; its arrangement on small
 * screens only; a visible part of its looks; a finer point; what only assistive technology tells; nothing.
 */
export type Impact = 'content' | 'layout' | 'mobile' | 'look' | 'detail' | 'access' | 'none';

/** For each slug: what the feature does, what is lost without it, what to write instead. */
export type AboutTable = Record<string, readonly [description: string, impact: Impact, suggestion?: string]>;

interface About {
  description: string;
  impact: Impact;
  suggestion: string | undefined;
}

const table: AboutTable = { ...aboutCss, ...aboutCssSyntax, ...aboutHtml };

/** About a feature; one that is new to the data is taken as a matter of looks. */
export function aboutOf(slug: string): About {
  const [description, impact, suggestion] = table[slug] ?? ['', 'look'];
  return { description, impact, suggestion };
}

/** Slugs that are written about. */
export const slugsWrittenAbout: readonly string[] = Object.keys(table);
