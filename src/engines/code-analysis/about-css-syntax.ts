// What the selectors, at-rules, functions and units of CSS in the data do. Our own words.

import type { AboutTable } from './about.ts';

const absoluteAdvice = 'Give the size in px.';
const inlineAdvice = 'Inline these styles as `style` attributes (dashboard: Source → Styles inlined).';
const hoverOnly = 'Fine as an extra: make sure the message works without it.';

export const aboutCssSyntax: AboutTable = {
  'css-at-font-face': [
    'Loads a font.',
    'look',
    'List fonts that everybody has after it; for Outlook 2016 and older hide it in a media query, ' +
      'or they show Times New Roman.',
  ],
  'css-at-import': [
    'Loads another style sheet, mostly one with fonts.',
    'look',
    'Copy the rules into a `<style>` element in the head.',
  ],
  'css-at-keyframes': [
    'Defines the steps of an animation.',
    'detail',
    'Make the first frame a complete picture, or use an animated GIF.',
  ],
  'css-at-media': [
    'Applies rules only on certain screens.',
    'mobile',
    'Build columns that wrap by themselves (inline-block with `max-width`), so that the layout ' +
      'works without media queries.',
  ],
  'css-at-media-device-pixel-ratio': [
    'Applies rules only on dense screens.',
    'detail',
    'Use images of double size with `width` and `height` attributes everywhere.',
  ],
  'css-at-media-hover': ['Applies rules only where the pointer can hover.', 'detail', hoverOnly],
  'css-at-media-orientation': [
    'Applies rules only in portrait or in landscape.',
    'detail',
    'Ask for `max-width` instead.',
  ],
  'css-at-media-prefers-color-scheme': [
    'Applies rules only in light or in dark mode.',
    'look',
    'Choose colors and logos that hold up when a client changes them by itself; for Outlook.com add ' +
      'rules with `[data-ogsc]`.',
  ],
  'css-at-media-prefers-reduced-motion': [
    'Applies rules only when the reader wants less motion.',
    'detail',
    "Don't animate without end: stop GIFs after a few loops.",
  ],
  'css-at-supports': [
    'Applies rules only where a declaration is understood.',
    'look',
    'Write the safe declaration first and the modern one after it.',
  ],
  'css-function-clamp': [
    'A size that grows between two limits.',
    'layout',
    'Write a fixed size before it; change it in a media query.',
  ],
  'css-function-light-dark': [
    'One color for light mode and one for dark.',
    'look',
    'Write the light color before it, and the dark one in `@media (prefers-color-scheme:dark)`.',
  ],
  'css-function-max': ['The larger of some sizes.', 'layout', 'Use `min-width`, or a fixed size before it.'],
  'css-function-min': ['The smaller of some sizes.', 'layout', 'Use `width:100%` with `max-width`.'],
  'css-important': [
    'Lets a declaration win over stronger ones.',
    'look',
    'Write it in lower case after a space, and only in media queries, where it has to beat `style` attributes.',
  ],
  'css-nesting': ['Rules inside rules.', 'layout', 'Write every rule out: a preprocessor does it.'],
  'css-pseudo-class-active': ['Styles a link while it is pressed.', 'none', hoverOnly],
  'css-pseudo-class-checked': [
    'Styles a ticked box: the switch of most interactive emails.',
    'look',
    'Show everything by default, and hide it only in clients that know `:checked`.',
  ],
  'css-pseudo-class-default': ['Styles the default of a group of fields.', 'none'],
  'css-pseudo-class-first-child': ['Styles the first child.', 'detail', 'Give that element a class of its own.'],
  'css-pseudo-class-first-of-type': [
    'Styles the first element of its kind.',
    'detail',
    'Give that element a class of its own.',
  ],
  'css-pseudo-class-focus': ["Styles the element with the keyboard's focus.", 'detail', hoverOnly],
  'css-pseudo-class-focus-visible': ['Styles the focus where it should be seen.', 'detail', hoverOnly],
  'css-pseudo-class-focus-within': ['Styles an element with the focus inside.', 'detail', hoverOnly],
  'css-pseudo-class-has': ['Styles an element by what is inside.', 'look', 'Give the element a class of its own.'],
  'css-pseudo-class-hover': ['Styles an element under the pointer.', 'detail', hoverOnly],
  'css-pseudo-class-lang': ['Styles text of a language.', 'detail', 'Give that text a class of its own.'],
  'css-pseudo-class-last-child': ['Styles the last child.', 'detail', 'Give that element a class of its own.'],
  'css-pseudo-class-last-of-type': [
    'Styles the last element of its kind.',
    'detail',
    'Give that element a class of its own.',
  ],
  'css-pseudo-class-link': ['Styles links that were not visited.', 'detail', 'Style the links inline.'],
  'css-pseudo-class-not': ['Styles all but some elements.', 'detail', 'Give the elements a class of their own.'],
  'css-pseudo-class-nth-child': ['Styles every n-th child.', 'detail', 'Give the rows a class, or style them inline.'],
  'css-pseudo-class-nth-last-child': [
    'Styles every n-th child from the end.',
    'detail',
    'Give those elements a class of their own.',
  ],
  'css-pseudo-class-nth-last-of-type': [
    'Styles every n-th element of its kind from the end.',
    'detail',
    'Give those elements a class of their own.',
  ],
  'css-pseudo-class-nth-of-type': [
    'Styles every n-th element of its kind.',
    'detail',
    'Give those elements a class of their own.',
  ],
  'css-pseudo-class-only-child': ['Styles an only child.', 'detail', 'Give that element a class of its own.'],
  'css-pseudo-class-only-of-type': [
    'Styles the only element of its kind.',
    'detail',
    'Give that element a class of its own.',
  ],
  'css-pseudo-class-target': ['Styles the target of a local link.', 'detail', hoverOnly],
  'css-pseudo-class-visited': ['Styles links that were visited.', 'none'],
  'css-pseudo-element-after': ["Adds content after an element's own.", 'look', 'Write the content into the message.'],
  'css-pseudo-element-before': ["Adds content before an element's own.", 'look', 'Write the content into the message.'],
  'css-pseudo-element-first-letter': ['Styles the first letter.', 'detail', 'Put the letter into a `<span>`.'],
  'css-pseudo-element-first-line': ['Styles the first line.', 'detail'],
  'css-pseudo-element-marker': ['Styles the mark of a list item.', 'detail'],
  'css-pseudo-element-placeholder': ['Styles the hint in an empty field.', 'none'],
  'css-selector-adjacent-sibling': [
    'Styles the element right after another.',
    'detail',
    'Give that element a class of its own.',
  ],
  'css-selector-attribute': ['Styles elements by an attribute.', 'detail', 'Use a class.'],
  'css-selector-chaining': [
    'Styles elements that have several classes.',
    'look',
    'Give the combination a class of its own.',
  ],
  'css-selector-child': ['Styles direct children.', 'look', 'Use a class.'],
  'css-selector-class': ['Styles elements of a class.', 'layout', inlineAdvice],
  'css-selector-descendant': ['Styles elements inside others.', 'look', 'Use a class.'],
  'css-selector-general-sibling': ['Styles elements after another.', 'detail', 'Use a class.'],
  'css-selector-grouping': ['One rule for several selectors.', 'layout', 'Write a rule for each selector.'],
  'css-selector-id': ['Styles the element with an id.', 'look', inlineAdvice],
  'css-selector-type': ['Styles elements by their name.', 'layout', inlineAdvice],
  'css-selector-universal': ['Styles all elements.', 'look', inlineAdvice],
  'css-unit-calc': ['A size that is worked out.', 'layout', 'Write a fixed size before it.'],
  'css-unit-ch': ['The width of a zero.', 'look', absoluteAdvice],
  'css-unit-cm': ['Centimeters.', 'detail', absoluteAdvice],
  'css-unit-em': ["The size of the element's font.", 'look', absoluteAdvice],
  'css-unit-ex': ['The height of an x.', 'look', absoluteAdvice],
  'css-unit-in': ['Inches.', 'detail', absoluteAdvice],
  'css-unit-initial': [
    'The value that a property starts with.',
    'detail',
    'Write that value: `auto`, `none`, `normal`.',
  ],
  'css-unit-mm': ['Millimeters.', 'detail', absoluteAdvice],
  'css-unit-pc': ['Picas, 16 px.', 'detail', absoluteAdvice],
  'css-unit-percent': ["A part of the parent's size.", 'layout', absoluteAdvice],
  'css-unit-pt': ['Points, 4/3 px.', 'detail', absoluteAdvice],
  'css-unit-px': ['Pixels.', 'layout'],
  'css-unit-rem': ['The font size of the root element.', 'look', absoluteAdvice],
  'css-unit-vh': [
    "A part of the window's height.",
    'look',
    "Give the height in px: the window is the client's, not the message's.",
  ],
  'css-unit-vmax': ["A part of the window's larger side.", 'look', absoluteAdvice],
  'css-unit-vmin': ["A part of the window's smaller side.", 'look', absoluteAdvice],
  'css-unit-vw': ["A part of the window's width.", 'look', "Use `%`: the window is the client's, not the message's."],
};
