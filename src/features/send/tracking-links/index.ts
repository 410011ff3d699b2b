// Where the links of tracked messages lead, and their image: each hit becomes an event, and the reader goes on.
import { defineFeature, migrationsIn, type Outside } from '../../../platform/feature/index.ts';
import { openPlaces } from '../../../platform/places/index.ts';
import { openHits } from './hits.ts';
import { endpoints } from './routes.ts';

const tellOf =
  ({ log }: Pick<Outside, 'log'>) =>
  (message: string): void =>
    log.warn({ message }, 'a record of GALLEY_GEO_FILE is broken: such addresses have no place');

export default defineFeature({
  name: 'tracking-links',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  listeners: [
    {
      name: 'opens and clicks',
      role: 'api',
      start: async (outside) => {
        const { geoFile } = outside.config;
        const places = geoFile === undefined ? undefined : await openPlaces(geoFile, tellOf(outside));
        const hits = openHits(outside, places);
        const where = places ? `, with places as of ${places.asOf.toISOString().slice(0, 10)}` : '';
        return { about: `opens and clicks of tracked messages are counted${where}`, close: () => hits.close() };
      },
    },
  ],
});
