// Warm-ups of addresses: stages with a volume each, a throttle that every message from the address takes its turn at,
// and a decision at the end of each stage from what receivers did.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { addTo } from '../../../platform/ports/index.ts';
import { sendingGates } from '../sending-ips/index.ts';
import { warmupGate } from './gate.ts';
import { close, expire } from './jobs.ts';
import { endpoints } from './routes.ts';

export default defineFeature({
  name: 'ip-warmups',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [close, expire],
  adds: [addTo(sendingGates, warmupGate)],
});
