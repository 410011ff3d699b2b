import { Type } from 'typebox';
import type { JobName } from '../../../platform/jobs/index.ts';

const payload = Type.Object({});

/** The job that asks about what is due. */
export const sweeping = {
  name: 'blocklists.sweep',
  payload,
  lane: 'net',
  sameAs: () => 'sweep',
} satisfies JobName<typeof payload>;
