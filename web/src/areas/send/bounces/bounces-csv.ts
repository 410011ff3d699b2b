// Bounces and delays as rows of a file: one for each class and receiver.
import { onePage, type ListExport } from '../../../shared/send/list-pages.ts';
import type { BounceClass } from './bounces-api.ts';

/** The classes that the page shows, in its order. */
export const bouncesExport = (found: readonly BounceClass[]): ListExport => ({
  columns: ['class', 'needs attention', 'who', 'bounces', 'delays', 'what to do', 'sample reply'],
  pages: () =>
    onePage(
      found.flatMap(({ name, isCritical, advice, said }) =>
        said.map(({ entity, bounces, delays, samples }) => [
          name,
          isCritical ? 'yes' : 'no',
          entity,
          bounces,
          delays,
          advice,
          samples[0] ?? null,
        ]),
      ),
    ),
});
