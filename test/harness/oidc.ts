// A provider of OpenID Connect that does as a test tells it: honest until then.
import { createHash, createHmac, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { startWebServer, type WebRequest } from './web-server.ts';

const CLIENT = { id: 'galley', secret: 'the secret of the client: 100% & more' };

type Signature = 'right' | 'of another key' | 'cut off' | 'none' | 'by the client secret';

export interface OidcServer {
  issuer: string;
  host: string;
  /** Settings of a Galley that people sign in to by this provider. */
  settings: Record<string, string>;
  /** Claims about whoever signs in next. */
  person: Record<string, unknown>;
  /** What differs in the next ID tokens; undefined leaves a claim out. */
  tampered: Record<string, unknown>;
  signature: Signature;
  /** What the next browsers bring back in place of a code, such as `error=access_denied`. */
  refusal: string;
  /** Answers a path otherwise, such as `/token`. */
  replaced: Map<string, (request: WebRequest, response: ServerResponse) => void>;
  /** Paths that were asked. */
  asked: string[];
  /** Takes a code once more. */
  reuse(code: string): void;
  /** Goes to the address as a browser does; the query that it comes back with. */
  visit(url: string): Promise<string>;
  close(): Promise<void>;
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

function signed(claims: object, how: Signature, keys: { own: KeyObject; other: KeyObject }): string {
  const alg = how === 'none' ? 'none' : how === 'by the client secret' ? 'HS256' : 'RS256';
  const said = `${encoded({ alg, kid: 'first' })}.${encoded(claims)}`;
  if (how === 'none' || how === 'cut off') return `${said}.`;
  if (alg === 'HS256') return `${said}.${createHmac('sha256', CLIENT.secret).update(said).digest('base64url')}`;
  const key = how === 'right' ? keys.own : keys.other;
  return `${said}.${sign('sha256', Buffer.from(said), key).toString('base64url')}`;
}

interface Code {
  nonce: string;
  challenge: string;
  redirectUri: string;
}

const json = (response: ServerResponse, body: object, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

class Scripted {
  readonly codes = new Map<string, Code>();
  readonly used = new Map<string, Code>();
  readonly keys = { own: newKey(), other: newKey() };
  readonly server: OidcServer;

  constructor(server: OidcServer) {
    this.server = server;
  }

  answer(request: WebRequest, response: ServerResponse): void {
    const { server } = this;
    const url = new URL(request.path, server.issuer);
    server.asked.push(url.pathname);
    const replaced = server.replaced.get(url.pathname);
    if (replaced) return replaced(request, response);
    const authorization = request.headers.authorization ?? '';
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json(response, this.description());
      case '/jwks':
        return json(response, {
          keys: [{ ...this.keys.own.publicKey.export({ format: 'jwk' }), kid: 'first', use: 'sig', alg: 'RS256' }],
        });
      case '/authorize':
        return void response.writeHead(302, { location: this.back(url.searchParams) }).end();
      case '/token':
        return this.redeem(new URLSearchParams(request.body), authorization, response);
      case '/userinfo':
        return authorization === 'Bearer access' ? json(response, server.person) : json(response, {}, 401);
      default:
        return void response.writeHead(404).end();
    }
  }

  description(): object {
    const { issuer } = this.server;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    };
  }

  /** Where the browser goes. */
  back(query: URLSearchParams): string {
    const redirectUri = query.get('redirect_uri') ?? '';
    const isAsked =
      query.get('client_id') === CLIENT.id &&
      query.get('response_type') === 'code' &&
      query.get('code_challenge_method') === 'S256' &&
      (query.get('scope') ?? '').split(' ').includes('openid');
    const code = randomBytes(9).toString('base64url');
    this.codes.set(code, {
      nonce: query.get('nonce') ?? '',
      challenge: query.get('code_challenge') ?? '',
      redirectUri,
    });
    const said = isAsked ? this.server.refusal || `code=${code}` : 'error=invalid_request';
    return `${redirectUri}?${said}&state=${encodeURIComponent(query.get('state') ?? '')}`;
  }

  redeem(form: URLSearchParams, authorization: string, response: ServerResponse): void {
    const [, basic = ''] = /^Basic (.+)$/.exec(authorization) ?? [];
    const given = Buffer.from(basic, 'base64').toString();
    const [id = '', secret = ''] = given.split(':', 2).map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
    if (id !== CLIENT.id || secret !== CLIENT.secret) return json(response, { error: 'invalid_client' }, 401);
    const code = this.codes.get(form.get('code') ?? '');
    this.codes.delete(form.get('code') ?? '');
    if (code) this.used.set(form.get('code') ?? '', code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!code || challenge !== code.challenge || form.get('redirect_uri') !== code.redirectUri)
      return json(response, { error: 'invalid_grant', error_description: 'The code is not known.' }, 400);
    const { issuer, person, tampered, signature } = this.server;
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: CLIENT.id, iat: now, exp: now + 300, nonce: code.nonce, ...person, ...tampered };
    const idToken = signed(claims, signature, { own: this.keys.own.privateKey, other: this.keys.other.privateKey });
    json(response, { access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token: idToken });
  }
}

/** On loopback; close it after the tests. */
export async function startOidcServer(): Promise<OidcServer> {
  let scripted: Scripted | undefined;
  const web = await startWebServer((request, response) => scripted?.answer(request, response));
  const server: OidcServer = {
    issuer: web.url,
    host: web.host,
    settings: {
      GALLEY_OIDC_ISSUER: web.url,
      GALLEY_OIDC_CLIENT_ID: CLIENT.id,
      GALLEY_OIDC_CLIENT_SECRET: CLIENT.secret,
      GALLEY_OIDC_NAME: 'Harbor ID',
      GALLEY_ALLOW_HOSTS: web.host,
    },
    person: {},
    tampered: {},
    signature: 'right',
    refusal: '',
    replaced: new Map(),
    asked: [],
    async visit(url) {
      const { headers } = await fetch(url, { redirect: 'manual' });
      return new URL(headers.get('location') ?? '').search.slice(1);
    },
    reuse(code) {
      const used = scripted?.used.get(code);
      if (used) scripted?.codes.set(code, used);
    },
    close: () => web.close(),
  };
  scripted = new Scripted(server);
  return server;
}
