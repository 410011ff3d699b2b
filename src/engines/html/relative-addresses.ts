// Relative addresses: they need a base address, and a message has none.
import { beginsWithMergeTag } from '../merge-tags/index.ts';
import { hasBaseOf, locatedElements, type LocatedElement } from './located-elements.ts';
import type { ReadDocument } from './read-document.ts';
import { attributeOf } from './walk-elements.ts';

/**
 * What completes relative addresses: the page that was read, or the message's own `base` element, which not every
 * client honors.
 */
export type Completion = 'page' | 'base';

/** Neither a scheme nor a host nor a fragment nor a tag that is to be replaced. */
export function isRelativeAddress(address: string): boolean {
  const text = address.trim();
  return text !== '' && !/^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(text) && !beginsWithMergeTag(text);
}

/** What relative addresses of a message are completed by; undefined where nothing does. */
export function completionOf(located: readonly LocatedElement[], baseUrl: string | undefined): Completion | undefined {
  if (hasBaseOf(located)) return 'base';
  return baseUrl === undefined ? undefined : 'page';
}

/** How many addresses of images and links of a page are completed by its own address. `known` is the same HTML, read already. */
export function countCompletedByPage(html: string, known?: ReadDocument): number {
  const located = [...locatedElements(html, known)];
  if (hasBaseOf(located)) return 0;
  const written = located.flatMap(({ element }) =>
    ['src', 'background', 'href'].flatMap((name) =>
      name === 'href' && element.tagName === 'base' ? [] : (attributeOf(element, name) ?? []),
    ),
  );
  return written.filter(isRelativeAddress).length;
}
