// Which of axe-core's rules say something about an email, and why the others are left out.

/** Rules that are run. Where one has a name of ours (`EMAIL_RULES`), the outcomes are joined. */
export const AXE_RULES: readonly string[] = [
  'area-alt', 'aria-allowed-attr', 'aria-allowed-role', 'aria-braille-equivalent', 'aria-command-name', 'aria-conditional-attr', 'aria-deprecated-role',
  'aria-hidden-body', 'aria-hidden-focus', 'aria-prohibited-attr', 'aria-required-attr', 'aria-required-children', 'aria-required-parent', 'aria-roles',
  'aria-text', 'aria-valid-attr', 'aria-valid-attr-value', 'avoid-inline-spacing', 'button-name', 'color-contrast', 'definition-list', 'dlitem',
  'document-title', 'duplicate-id-aria', 'empty-heading', 'empty-table-header', 'form-field-multiple-labels', 'frame-title', 'heading-order',
  'html-has-lang', 'html-lang-valid', 'html-xml-lang-mismatch', 'image-alt', 'image-redundant-alt', 'input-button-name', 'input-image-alt', 'label',
  'label-content-name-mismatch', 'link-in-text-block', 'link-name', 'list', 'listitem', 'meta-refresh', 'meta-viewport', 'nested-interactive', 'object-alt',
  'presentation-role-conflict', 'role-img-alt', 'scope-attr-valid', 'select-name', 'server-side-image-map', 'summary-name', 'svg-img-alt',
  'table-duplicate-name', 'target-size', 'td-headers-attr', 'th-has-data-cells', 'valid-lang',
];

/** What only layout tells: where a browser has answered, ours keep still. */
export const AXE_REPLACES: ReadonlySet<string> = new Set(['color-contrast', 'link-in-text-block', 'target-size']);

const LANDMARKS = 'A message is shown inside the mail client’s page, whose landmarks are the client’s.';
const NO_WIDGETS = 'Such widgets need scripts, which no mail client runs.';
const NO_FRAMES = 'No mail client shows frames.';

/** Every other rule, with the reason. */
export const AXE_RULES_LEFT_OUT: Readonly<Record<string, string>> = {
  region: LANDMARKS,
  'landmark-one-main': LANDMARKS,
  bypass: 'There is no navigation in front of the content that would have to be skipped; all emails would fail.',
  'skip-link': 'Fragment links work in few mail clients, and there is nothing to skip.',
  'landmark-banner-is-top-level': LANDMARKS,
  'landmark-complementary-is-top-level': LANDMARKS,
  'landmark-contentinfo-is-top-level': LANDMARKS,
  'landmark-main-is-top-level': LANDMARKS,
  'landmark-no-duplicate-banner': LANDMARKS,
  'landmark-no-duplicate-contentinfo': LANDMARKS,
  'landmark-no-duplicate-main': LANDMARKS,
  'landmark-unique': LANDMARKS,
  'page-has-heading-one': 'Our rule of that name asks only messages that have headings, and heading-missing only long ones.',
  blink: 'The page is brought to rest before it is judged; our rule of that name reads the source.',
  marquee: 'The page is brought to rest before it is judged; our rule of that name reads the source.',
  tabindex: 'Our rule of that name reads the source, and can be repaired.',
  'no-autoplay-audio': 'Waits for media that are not loaded; our no-autoplay reads the source.',
  'identical-links-same-purpose': 'Our rule of that name does not take addresses for different that differ only in what counts visits.',
  'color-contrast-enhanced': 'Level AAA; email that met it would have next to no colour. Level AA is checked.',
  'meta-viewport-large': 'Zooming to 200 % is what WCAG asks for; meta-viewport checks that.',
  'meta-refresh-no-exceptions': 'Level AAA of meta-refresh; mail clients drop the element.',
  'video-caption': 'Captions are inside the video, which few mail clients play; they can’t be judged from the message.',
  'audio-caption': 'Deprecated in axe-core.',
  'css-orientation-lock': 'Experimental; mail clients decide on orientation.',
  'focus-order-semantics': 'Experimental.',
  'hidden-content': 'Experimental; it only points at hidden content, which every email has.',
  'p-as-heading': 'Experimental; our heading-fake looks at every block, not only at p.',
  'table-fake-caption': 'Experimental.',
  'td-has-header': 'Experimental; our data-table-headers knows layout tables from data.',
  'scrollable-region-focusable': 'Mail clients don’t let a message scroll inside itself.',
  accesskeys: 'Keys belong to the mail client.',
  'autocomplete-valid': 'Mail clients don’t fill in forms.',
  'duplicate-id': 'Deprecated in axe-core.',
  'duplicate-id-active': 'Deprecated in axe-core.',
  'aria-roledescription': 'Deprecated in axe-core.',
  'frame-focusable-content': NO_FRAMES,
  'frame-tested': NO_FRAMES,
  'frame-title-unique': NO_FRAMES,
  'label-title-only': 'The title attribute is judged by our title-attribute.',
  'aria-dialog-name': NO_WIDGETS,
  'aria-input-field-name': NO_WIDGETS,
  'aria-meter-name': NO_WIDGETS,
  'aria-progressbar-name': NO_WIDGETS,
  'aria-tab-name': NO_WIDGETS,
  'aria-toggle-field-name': NO_WIDGETS,
  'aria-tooltip-name': NO_WIDGETS,
  'aria-treeitem-name': NO_WIDGETS,
};
