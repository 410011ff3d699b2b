// Why a claim is missed, by its id.

export const REASONS: Readonly<Record<string, string>> = {
  'word-p-padding-border':
    'Tests of caniemail say that padding counts on cells only; the sources disagree about paragraphs with a border.',
  'word-font-width':
    'Nothing in CSS makes letters narrower together with the room they take; the width of spaces is shown.',
  'word-tspace': 'The picture before the table shares its line here; the space itself is as wide as it says.',
  'owa-attribute-x': 'A note of caniemail is read as if no attribute selector of a class could match.',
  'apple-dark-meta-white':
    'Another source (html-email-guide.vercel.app) says that the iPhone does not read the meta element; the Mac does as claimed.',
  'yahoo-comment-value': 'The parser of style sheets drops comments in values before they could be opened.',
  'yahoo-comma': 'The print condition goes before the comma is seen.',
  'fastmail-order':
    'The source is of 2014; nothing newer says whether specificity counts in Fastmail today, so the standard is kept.',
  'mailru-opacity-sheet': 'Another test, of 2020-10, says that opacity is not supported at all; the sources disagree.',
};
