// What a media query asks about.

import { generate, type CssNode } from 'css-tree';

export interface MediaFacts {
  /** `screen`, `print`, `all`, or empty. */
  type: string;
  /** Names as written, lower case: `max-width`, `-webkit-min-device-pixel-ratio`. */
  features: string[];
  /** Names and values: `orientation:landscape`. */
  pairs: string[];
}

/** No real query is longer; patterns that look for the end of a value must not run over a whole sheet. */
const QUERY_LENGTH_MAX = 1000;

/** Reads the query's text, so that what css-tree could not parse is understood as well. */
export function readMediaQuery(query: CssNode): MediaFacts {
  return readMediaText(generate(query));
}

export function readMediaText(text: string): MediaFacts {
  const lower = text.slice(0, QUERY_LENGTH_MAX).toLowerCase();
  const pairs = [...lower.matchAll(/\(\s*(-?[a-z_][a-z_-]*)\s*(?::\s*([^()]*?)\s*)?(?=[)<>=])/g)];
  const ranges = [...lower.matchAll(/[<>=]\s*(-?[a-z][a-z-]*)/g)];
  const type = /^\s*(?:only\s+|not\s+)?([a-z]+)/.exec(lower)?.[1] ?? '';
  return {
    type: type === 'not' || type === 'and' ? '' : type,
    features: [...pairs.map((pair) => pair[1]!), ...ranges.map((range) => range[1]!)],
    pairs: pairs.flatMap((pair) => (pair[2] ? [`${pair[1]}:${pair[2]}`] : [])),
  };
}
