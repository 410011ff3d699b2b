// The hours in which messages of a domain may leave, by the clocks of their recipients.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { addTo } from '../../../platform/ports/index.ts';
import { deliveryHolds } from '../deliveries/index.ts';
import { calendarHolder } from './hold.ts';
import { jobs } from './jobs.ts';
import { endpoints } from './routes.ts';

export default defineFeature({
  name: 'sending-calendars',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs,
  adds: [addTo(deliveryHolds, calendarHolder)],
});
