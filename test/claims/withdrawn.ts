// Claims that a better source contradicts, and claims whose message said something else than their source.

interface Withdrawn {
  id: string;
  says: string;
  because: string;
  /** The better source. */
  source: string;
}

export const WITHDRAWN: readonly Withdrawn[] = [
  {
    id: 'all-table-width (HEY)',
    says: 'A table is as wide as its attribute says.',
    because:
      'The source speaks of email clients in general; in HEY itself the attribute width was tried and does nothing.',
    source: 'https://www.caniemail.com/features/html-width/, 2020-06',
  },
  {
    id: 'all-image (HEY)',
    says: 'A picture is shown in the size of its attributes.',
    because: 'As above: width and height were tried in HEY and do nothing.',
    source: 'https://www.caniemail.com/features/html-height/, 2020-06',
  },
  {
    id: 'fastmail-fixed',
    says: 'position:fixed is not allowed.',
    because: 'The source, of 2014, does not say what happens instead; in the client fixed was seen to become absolute.',
    source: 'https://www.caniemail.com/features/css-position/, 2021-07',
  },
  {
    id: 'tb-gecko',
    says: '-moz-device-pixel-ratio in a media query holds.',
    because:
      'The source is of 2019 and Thunderbird 60. Since 78 the program takes @media, @supports and every other rule with ' +
      'a condition out of a message; seen in Thunderbird 153.8 itself, by its own document.',
    source: 'https://www.caniemail.com/features/css-at-media/ (78.5 and 102.11), and Thunderbird 153.8, 2026-11-27',
  },
  {
    id: 'gmail-dark-gradient',
    says: 'A gradient keeps its colors.',
    because:
      'Corrected: its message named the gradient in background-image, which the Android app drops whatever the mode; ' +
      'it stands in background now.',
    source: 'https://github.com/hteumeuleu/email-bugs/issues/135, 2025-04',
  },
];

/** What the ruler itself was changed in (`measure.ts`): claims before and after were measured with different ones. */
export const MEASURE_CHANGES: readonly { date: string; what: string; because: string }[] = [
  {
    date: '2026-11-26',
    what:
      'The ground of a picture that stands at the left edge of the page is read right of it; before, the picture itself ' +
      'was read. The text beside a picture is compared with that ground.',
    because: 'In clients without a margin around the message the ground was the color of the picture.',
  },
];
