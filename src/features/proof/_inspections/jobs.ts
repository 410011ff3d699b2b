import { defineRetention } from '../../../platform/feature/retention.ts';
import { releaseMessages } from '../_message/index.ts';
import { objectsOf } from './objects.ts';
import { deleteExpired, findInspectionOfAnyone } from './store.ts';

export const { erase, expire } = defineRetention({
  name: 'inspections',
  objectsOf,
  isThere: async (db, id) => (await findInspectionOfAnyone(db, id)) !== undefined,
  deleteExpired,
  erased: (outside, id) => releaseMessages(outside, objectsOf(id)),
});
