export { withAliases } from './aliases.ts';
export { openApiDocument, withNamedSchemas } from './openapi.ts';
export {
  contract,
  endpointFor,
  HttpReply,
  readByItself,
  ROLES,
  ROLES_ABOUT,
  type Caller,
  type Contract,
  type Endpoint,
  type Principal,
  type Role,
} from './contract.ts';
export { fileOf, isFile } from './forms.ts';
export { eventStream, type EventStream } from './event-stream.ts';
export { SESSION_COOKIE } from './authentication.ts';
export { escaped, plainPage } from './plain-page.ts';
export { createServer } from './server.ts';
export {
  curlOf,
  operationsOf,
  sampleRequest,
  type Example,
  type Examples,
  type OpenApiDocument,
  type Operation,
  type Response,
  type Schema,
} from './samples.ts';
