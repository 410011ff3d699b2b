// Emails as requests give them (HTML, a URL, a whole message), read, bounded, and with what they show.
// Previews and inspections stand on this; it has no endpoints and no tables of its own.
export { glanceAtSendable, htmlOf, readMail, readOnWire, relativeAddresses, shownAsSent } from './computations.ts';
export { BODY_BYTES_MAX, HTML_BYTES_MAX, NewName, Nullable, SourceBody, sourceFields } from './contract.ts';
export { fillField, readHeaderFields, readLine, readSubject, templateFault } from './fields.ts';
export { collectAssets, loadMime, type LoadedSource } from './message.ts';
export { nameOfAddresses, nameOfSource } from './names.ts';
export { fillBody, readSource, sourceOfMime, type Source } from './source.ts';
export { bufferOf, readMessage, storable, type CheckedMessage, type StoredBytes, type StoredSource } from './stored.ts';
