// An endpoint is a value: its full literal path, its schemas, its errors. Routing, validation, OpenAPI and SDK follow
// from it.
import { Readable } from 'node:stream';
import { Type, type Static, type TSchema } from 'typebox';
import type { ErrorCode } from '../errors/index.ts';
import type { Initiator } from './callers.ts';
import type { ErrorShape } from './error-shapes.ts';
import type { FormLimits } from './forms.ts';
import type { Product } from './products.ts';
import type { RightsName, Role } from './roles.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Contract<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Reply extends TSchema = TSchema,
> {
  method: Method;
  /** The whole path, such as `/v2/preview/tests/{test_id}`. */
  path: string;
  /** A verb and its object, such as `createPreviewTest`. Unique; generated clients name their functions after it. */
  operationId: string;
  summary: string;
  description?: string;
  tag: string;
  params?: Params;
  query?: Query;
  body?: Body;
  /** A body that works when it is copied, where one of its required fields is not enough. */
  sample?: object;
  /** True when a missing body stands for `{}`. */
  isBodyOptional?: boolean;
  /** Forms are refused: pages of other sites can send those. For endpoints without a key. */
  isJsonOnly?: boolean;
  /** Of a multipart body: the field that holds a file. */
  fileField?: string;
  /** Nothing but a multipart body can hold what it needs. */
  isFormOnly?: boolean;
  bodyBytesMax?: number;
  /** How many fields and files a form may hold, where that is not the default. */
  form?: FormLimits;
  reply: Reply;
  /** 204 answers without a body; its `reply` is null. */
  status?: 200 | 201 | 202 | 204;
  /** Errors besides 401, 403, 429 and 500, which every endpoint may answer. */
  errors?: readonly ErrorCode[];
  errorShape: ErrorShape;
  /** The endpoint to use instead; answers carry a `Deprecation` header. */
  deprecated?: { since: string; successor: string };
  /**
   * `none`: no key is asked for. `admin`: only keys with that role. `sending`: keys of that role, too, and keys of one
   * domain; the endpoint looks at the domain. Otherwise its group of rights says who may.
   */
  access?: 'none' | 'admin' | 'sending';
  /** The row of the table of roles (`roles.ts`). Default: `other`. */
  rights?: RightsName;
  /** Part of a product that can be switched off for an account. */
  product?: Product;
  /**
   * Why the audit log has no entry of successful calls, as the end of a sentence that begins with "Not in the audit
   * log:". Without it, every call has one that is no GET, asks for a key and is no query.
   */
  unaudited?: string;
  /** It answers with figures about tests, not with what is in an email: keys of the role `basic` may read it. */
  isMetric?: boolean;
  /** The header that names an account says what the call is about, not for whom it acts. */
  namesAccount?: boolean;
  /** It reads, though its method says otherwise: its question is too long for a path. */
  isQuery?: boolean;
  /** It answers while the work goes on, with `Retry-After`. */
  isPolled?: boolean;
  /** The reply is a file, not JSON. */
  isFile?: boolean;
  /** The reply is server-sent events, for as long as there are any. */
  isStream?: boolean;
}

/** Declares an endpoint; types of the handler's input follow from the schemas. */
export function contract<Params extends TSchema, Query extends TSchema, Body extends TSchema, Reply extends TSchema>(
  declaration: Contract<Params, Query, Body, Reply>,
): Contract<Params, Query, Body, Reply> {
  return declaration;
}

/**
 * A field that the feature reads itself, with words of its own for what is wrong: the documents show its schema,
 * nothing is validated by it.
 */
export function readByItself(schema: TSchema): Type.TUnknown {
  return Type.Unknown({ [READ_BY_ITSELF]: schema });
}

/** Where such a field has its schema. */
export const READ_BY_ITSELF = 'x-read-as';

/** Who makes a request. */
export interface Principal {
  /** Null in the session of a user who signed in without a key. */
  keyId: string | null;
  /** The user whose session, or whose key, it is. */
  userId?: string;
  role: Role;
  /** The account the call acts for: the key's own, or one of its subaccounts. */
  accountId: string;
  /** The account that the key or the user belongs to: `accountId`, or its parent. */
  ownAccountId: string;
  /** The one domain that the key is for. */
  domainName: string | null;
  /** When the call is made in a session instead of with the key itself. */
  sessionId?: string;
}

export interface Caller extends Initiator {
  principal: Principal;
  /** Starts absolute URLs in answers; no trailing slash. */
  baseUrl: string;
  /** At which the request was sent, with its port where it names one; behind a trusted proxy, what that says. */
  host: string;
  requestId: string;
  /** Where the request comes from; behind a trusted proxy, what that says. */
  address: string;
  headers: Record<string, string | string[] | undefined>;
  /** Only the header of the answer is asked for (HEAD). */
  isHead: boolean;
  /** The server is being closed: what answers for long ends now. */
  closing: AbortSignal;
  /** Whether the same request would be let in now: a session may have ended, or a key been revoked. */
  isStillAdmitted(): Promise<boolean>;
}

interface Input<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
}

/** An answer that is not JSON, or carries headers of its own. */
export class HttpReply {
  readonly body: Readable | Buffer | string | object;
  readonly headers: Record<string, string>;
  readonly status: number | undefined;

  constructor(body: Readable | Buffer | string | object, headers: Record<string, string> = {}, status?: number) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}

/** A long answer that is written as it is read: at the pace of who reads it. */
export function streamedReply(texts: AsyncIterable<string>, headers: Record<string, string>): HttpReply {
  return new HttpReply(Readable.from(texts), headers);
}

export interface Endpoint<Outside> {
  contract: Contract;
  handle(context: Outside & Caller, input: Input<never, never, never>): Promise<unknown>;
}

/** Binds a contract to the code that answers it. */
export function endpointFor<Outside>() {
  return <Params extends TSchema, Query extends TSchema, Body extends TSchema, Reply extends TSchema>(
    declaration: Contract<Params, Query, Body, Reply>,
    handle: (
      context: Outside & Caller,
      input: Input<Static<Params>, Static<Query>, Static<Body>>,
    ) => Promise<Static<Reply> | HttpReply>,
  ): Endpoint<Outside> => ({
    contract: declaration as unknown as Contract,
    handle: handle as unknown as Endpoint<Outside>['handle'],
  });
}
