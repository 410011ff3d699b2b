import { defineAging } from '../../../platform/feature/retention.ts';
import { deleteOldUploads } from './upload-store.ts';

/** How long it can be read what became of an upload. */
const UPLOAD_DAYS = 7;

/** Forgets uploads. */
export const expire = defineAging({ name: 'mailing-lists', days: UPLOAD_DAYS, deleteOld: deleteOldUploads });
