// Emails as requests give them (HTML, a URL, a whole message), read, bounded, and with what they show.
// The bytes of each are kept once for an account, whatever is made from them; what refers to them lets go of them, and
// with the last they go. Previews and inspections stand on this; it has no endpoints of its own.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { sweep } from './jobs.ts';
import { storedTemplates } from './stored-templates.ts';

export { readBase64 } from './base64.ts';
export { glanceAtSendable, htmlOf, readMail, readOnWire, relativeAddresses, shownAsSent } from './computations.ts';
export { BODY_BYTES_MAX, HTML_BYTES_MAX, NewName, Nullable, SourceBody, sourceFields } from './contract.ts';
export { fillField, readHeaderFields, readLine, readSubject, templateFault } from './fields.ts';
export {
  confirmUses,
  digestOf,
  keepMessage,
  keepMessageFile,
  listHolders,
  readBeside,
  readKept,
  releaseMessages,
  streamKept,
  type MessageFile,
} from './kept.ts';
export { collectAssets, loadMime, type LoadedSource } from './message.ts';
export { nameOfAddresses, nameOfSource } from './names.ts';
export { fillBody, readSource, readSourceOrTemplate, sourceOfMime, type Source, type TemplateDoors } from './source.ts';
export { storedTemplates } from './stored-templates.ts';
export {
  bufferOf,
  readHtml,
  readMessage,
  storable,
  type CheckedMessage,
  type StoredBytes,
  type StoredSource,
} from './stored.ts';

export default defineFeature({
  name: 'message',
  endpoints: [],
  migrations: migrationsIn(import.meta.url),
  jobs: [sweep],
  ports: [storedTemplates],
});
