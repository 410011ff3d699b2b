export { headerOf, withAliases, FIELD_ALIASES, HEADER_ALIASES, PATH_ALIASES } from './aliases.ts';
export { contract, endpointFor, HttpReply, ROLES, ROLES_ABOUT, type Caller, type Contract, type Endpoint, type Input, type Principal, type Role } from './contract.ts';
export { ERROR_SHAPES, type ErrorShape } from './error-shapes.ts';
export type { UploadedFile } from './forms.ts';
export { operationId } from './openapi.ts';
export { SESSION_COOKIE, type Credentials } from './authentication.ts';
export { createServer, type ServerOptions } from './server.ts';
export { curlOf, operationsOf, sampleRequest, type OpenApiDocument, type Operation, type Schema } from './samples.ts';
