export { withAliases } from './aliases.ts';
export {
  contract,
  endpointFor,
  HttpReply,
  ROLES,
  ROLES_ABOUT,
  type Caller,
  type Endpoint,
  type Principal,
  type Role,
} from './contract.ts';
export type { UploadedFile } from './forms.ts';
export { SESSION_COOKIE } from './authentication.ts';
export { createServer } from './server.ts';
export { curlOf, operationsOf, sampleRequest, type OpenApiDocument, type Operation, type Schema } from './samples.ts';
