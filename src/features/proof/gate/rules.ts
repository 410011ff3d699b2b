import { audiences } from '../../../engines/code-analysis/index.ts';
import { gateRules } from '../../../engines/gate/index.ts';

/** The checks of the gate with what each brings, in the order of reports. */
export const RULES = gateRules([
  {
    check: 'code',
    order: 10,
    groups: { code: 'Code', hygiene: 'Hygiene' },
    limits: [
      {
        name: 'score_min',
        order: 60,
        about: 'The least score of the code: for the default audience, or by audience.',
        of: { measures: 'scores', names: audiences.map(({ id }) => id) },
        label: 'Code score, at least',
      },
    ],
  },
  {
    check: 'links',
    order: 20,
    groups: { links: 'Links' },
    limits: [
      {
        name: 'broken_links_max',
        order: 40,
        about: 'How many links may be broken.',
        of: { rule: 'links/reachable' },
        label: 'Broken links, at most',
      },
    ],
  },
  {
    check: 'images',
    order: 30,
    groups: { images: 'Images' },
    limits: [
      {
        name: 'image_bytes_max',
        order: 30,
        about: 'Bytes of all images together.',
        of: { measure: 'imageBytes' },
        label: 'Images, at most KB',
      },
    ],
  },
  { check: 'accessibility', order: 40, groups: { accessibility: 'Accessibility' } },
]);
