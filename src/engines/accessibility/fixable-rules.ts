/** Rules that `fixAccessibility` repairs, always or if the message contains the missing information. */
export const FIXABLE_RULES: ReadonlySet<string> = new Set([
  'html-has-lang',
  'html-lang-valid',
  'wrapper-lang',
  'html-has-dir',
  'wrapper-dir',
  'document-title',
  'meta-viewport',
  'image-alt',
  'image-alt-quality',
  'spacer-alt',
  'image-redundant-alt',
  'vml-alt',
  'layout-table-role',
  'layout-table-markup',
  'th-scope',
  'heading-missing',
  'empty-heading',
  'link-name',
  'link-text-generic',
  'tabindex',
  'title-attribute',
  'preheader-hidden',
]);

/** Rules that `fixAccessibility` repairs when it may adjust the looks. */
export const LOOKS_RULES: ReadonlySet<string> = new Set([
  'color-contrast',
  'text-size',
  'line-height',
  'text-justify',
  'text-all-caps',
  'link-in-text-block',
]);
