// Previews: one message, shown as each of the chosen email clients shows it.
//
// A test is accepted (source stored, rows and job saved together), prepared (assets fetched once, the message emulated
// for every client, the first ones before the rest, equal pictures found) and rendered: distinct pictures in batches, of
// long ones the first screens of all clients before the rest. A client is in `processing` until all its screenshots are
// there, whole, then `completed`; `bounced` when its service would refuse the message. A try that has
// run for three minutes is ended and queued again, and so is what was lost; what waits is left alone. A picture that
// takes too much of a browser is tried once more, apart from all others, then its clients are `bounced` with that
// reason. A phone's picture can be had with the pixels of its screen, in parts that are drawn when first asked for.
// After 90 days rows and objects are deleted.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { erase, expire, prepare, requeue } from './jobs.ts';
import { noteEnd } from './ends.ts';
import { previewEnded } from './facts.ts';
import { compareLooks } from './look-jobs.ts';
import { render, renderBatch } from './render-jobs.ts';
import { endpoints } from './routes.ts';
import { renderSharp } from './sharp.ts';
import { renderSlowly } from './slow-jobs.ts';

export { chooseClients, clientsFrom, getTest, readSearch, startTest } from './actions.ts';
export { PANE_WIDTHS, Result, searchFields } from './contract.ts';
export { previewEvidence } from './evidence.ts';
export { previewEnded } from './facts.ts';
export { fileQuery } from './files-contract.ts';
export { prepareMessage } from './message.ts';
export { pictureKey, testPrefix } from './objects.ts';
export { pictureReply } from './picture-reply.ts';
export { listShots } from './pictures-store.ts';
export { rawMessageOf } from './prepared.ts';
export { inPane, profileOf } from './profiles.ts';
export { resultsOf } from './routes.ts';
export { shotRequest } from './shots.ts';
export { findTestOfSource, readSourceOf, sourceDigestOf } from './sources.ts';
export {
  findTest,
  findTestOfAnyone,
  listProgress,
  listResults,
  listCountedTests,
  type PreviewTest,
  type Progress,
} from './store.ts';
export { featuresOf, undecidedName } from './undecided.ts';
export { shotNames, undecidedIn, V2_WORDS } from './view.ts';

export default defineFeature({
  name: 'previews',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [prepare, renderBatch, render, renderSlowly, renderSharp, noteEnd, compareLooks, requeue, erase, expire],
  tells: [previewEnded],
});
