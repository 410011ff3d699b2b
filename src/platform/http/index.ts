export { callerName } from './caller-name.ts';
export { cleanLine } from './callers.ts';
export { headerOf, withAliases } from './aliases.ts';
export { openApiDocument, withNamedSchemas } from './openapi.ts';
export {
  contract,
  endpointFor,
  HttpReply,
  readByItself,
  streamedReply,
  type Caller,
  type Contract,
  type Endpoint,
  type Principal,
} from './contract.ts';
export { isAudited, type Change } from './changes.ts';
export { fileOf, isFile } from './forms.ts';
export { admitJsonField } from './long-bodies.ts';
export { eventStream, type EventStream } from './event-stream.ts';
export { SESSION_COOKIE } from './authentication.ts';
export { escaped, plainPage } from './plain-page.ts';
export { mayCall, RIGHTS, RIGHTS_SOURCE, ROLES, ROLES_ABOUT, type Role } from './roles.ts';
export { notEnabled, PRODUCTS, type Product } from './products.ts';
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
export { listenWithTls, type AnswerRequest, type HostCertificate } from './tls-server.ts';
