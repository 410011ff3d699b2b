// Mailing lists: what is sent to the address of one goes to each of its members.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { addTo } from '../../../platform/ports/index.ts';
import { inboundTakers } from '../_inbound/index.ts';
import { deliveryChecks } from '../deliveries/index.ts';
import { passedOn } from '../messages/index.ts';
import { listMail, postArrived } from './arrivals.ts';
import { findLists, handOver } from './hand-over.ts';
import { expire } from './jobs.ts';
import { leaveEndpoints } from './leave-routes.ts';
import { postNext } from './post.ts';
import { endpoints } from './routes.ts';
import { writeUpload } from './upload-job.ts';

export default defineFeature({
  name: 'mailing-lists',
  endpoints: [...endpoints, ...leaveEndpoints],
  migrations: migrationsIn(import.meta.url),
  jobs: [writeUpload, postNext, postArrived, expire],
  adds: [addTo(deliveryChecks, handOver), addTo(passedOn, findLists), addTo(inboundTakers, listMail)],
});
