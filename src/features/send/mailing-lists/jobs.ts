import { defineExpiry } from '../../../platform/feature/retention.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { deleteUploads } from './upload-store.ts';

/** How long it can be read what became of an upload. */
const UPLOAD_DAYS = 7;

/** Forgets uploads. */
export const expire = defineExpiry({
  name: 'mailing-lists.expire',
  everySeconds: 3600,
  async run({ db, clock }) {
    await deleteUploads(db, daysAfter(clock.now(), -UPLOAD_DAYS));
  },
});
