// What assistive technology calls an image, and which files it can show.
import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { parseSrcset } from './srcset.ts';
import { attributeOf } from './walk-elements.ts';

type NameSource = 'alt' | 'aria-label' | 'aria-labelledby' | 'title';

export interface ImageName {
  text: string;
  /** The attribute that gives it. */
  from: NameSource;
}

/**
 * The name of an image or of an image button (HTML AAM §4.1): what `aria-labelledby` points to, `aria-label`, `alt`,
 * and `title` where there is no `alt`. Undefined without any; an empty `alt` is a decoration without a name.
 * @param textOfId the text of the element with this id.
 */
export function imageName(element: Tree.Element, textOfId: (id: string) => string | undefined): ImageName | undefined {
  const ids = (attributeOf(element, 'aria-labelledby') ?? '').split(/\s+/).filter((id) => id !== '');
  const alt = attributeOf(element, 'alt');
  const given: [NameSource, string | undefined][] = [
    [
      'aria-labelledby',
      ids
        .slice(0, IDS_MAX)
        .flatMap((id) => textOfId(id) ?? [])
        .join(' '),
    ],
    ['aria-label', attributeOf(element, 'aria-label')],
    ['alt', alt],
    ['title', alt === undefined ? attributeOf(element, 'title') : undefined],
  ];
  for (const [from, text] of given) if (text !== undefined && text.trim() !== '') return { text: text.trim(), from };
  return undefined;
}

const IDS_MAX = 20;

/**
 * Addresses of every file that an image can show: its own, those of `srcset`, and of the sources of a `picture` around
 * it.
 */
export function imageFiles(element: Tree.Element): string[] {
  const parent = element.parentNode;
  const sources =
    parent && 'tagName' in parent && parent.tagName === 'picture'
      ? parent.childNodes.filter((node): node is Tree.Element => 'tagName' in node && node.tagName === 'source')
      : [];
  const own = attributeOf(element, 'src');
  return [
    ...(own === undefined ? [] : [own]),
    ...[element, ...sources].flatMap((one) => parseSrcset(attributeOf(one, 'srcset') ?? '').map(({ url }) => url)),
  ];
}
