// A provider of OpenID Connect (OpenID Connect Core 1.0): the authorization code flow with PKCE (RFC 7636), state and
// nonce. `oauth4webapi` knows the protocol; every request goes through the guarded client.
import * as oauth from 'oauth4webapi';
import type { Clock } from '../clock/index.ts';
import type { OidcConfig } from '../config/index.ts';
import type { GuardedFetch } from '../fetch/index.ts';
import { faultOf, NoAnswer } from './faults.ts';

/** What a browser has to bring back: kept from everybody else. */
export interface Flow {
  state: string;
  nonce: string;
  /** Of PKCE. */
  verifier: string;
}

/** What the provider vouches for. */
export interface Claims {
  subject: string;
  /** As the provider writes it; empty where it names none. */
  email: string;
  isEmailVerified: boolean;
  name: string;
  /** Of the claim of roles. */
  groups: readonly string[];
}

export interface Provider {
  /** The page of the provider to which the browser goes. Throws `unavailable` or `unauthorized`. */
  addressFor(flow: Flow, redirectUri: string): Promise<string>;
  /** Takes the answer that the browser brought. Throws `unavailable` or `unauthorized`, with a sentence for people. */
  redeem(answer: URLSearchParams, flow: Flow & { redirectUri: string }): Promise<Claims>;
}

const ANSWER_MS = 10_000;
const ANSWER_BYTES_MAX = 512 * 1024;
/** How long the description of the provider counts, and how long the lack of one. */
const KNOWN_MS = 3_600_000;
const UNKNOWN_MS = 5_000;
const GROUPS_MAX = 5000;
const SUBJECT_LENGTH_MAX = 255;
const NAME_LENGTH_MAX = 200;
/** Entra's own word for an address that the owner of its domain has verified; it has no `email_verified`. */
const ENTRA = 'https://login.microsoftonline.com/';

export const newFlow = (): Flow => ({
  state: oauth.generateRandomState(),
  nonce: oauth.generateRandomNonce(),
  verifier: oauth.generateRandomCodeVerifier(),
});

interface Doors {
  fetch: Pick<GuardedFetch, 'request'>;
  clock: Clock;
}

/** Fields that the guarded client has words of its own for. */
const OWN_FIELDS = new Set(['user-agent', 'content-type', 'accept']);

/** The guarded client in the form that the library asks for. Redirects are not followed. */
function fetchBy(fetch: Doors['fetch']) {
  return async (url: string, options: oauth.CustomFetchOptions<string, unknown>): Promise<Response> => {
    const asked = new URL(url).href;
    const { accept = 'application/json' } = options.headers;
    const headers = Object.entries(options.headers).filter(([field]) => !OWN_FIELDS.has(field));
    const outcome = await fetch.request(asked, {
      ...(options.method === 'POST' && { method: 'POST' as const, form: String(options.body) }),
      mayFollow: (next) => next === asked,
      timeoutMs: ANSWER_MS,
      sizeBytesMax: ANSWER_BYTES_MAX,
      accept,
      headers: Object.fromEntries(headers),
    });
    if (!outcome.ok) throw new NoAnswer(outcome.reason, outcome.error);
    const { status, body } = outcome;
    return new Response(status === 204 || status === 304 ? null : new Uint8Array(body), {
      status,
      headers: { 'content-type': outcome.headers['content-type'] ?? '' },
    });
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** The texts at the end of the path; none where there is nothing like that. */
function groupsIn(claims: object, path: readonly string[]): string[] {
  let found: unknown = claims;
  for (const part of path)
    found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[part] : undefined;
  return [found]
    .flat()
    .filter((one) => typeof one === 'string')
    .slice(0, GROUPS_MAX);
}

/** By the claim of the standard; by Entra's own where the issuer is Entra. */
function isVerified(claims: Readonly<Record<string, unknown>>, issuer: string): boolean {
  if (claims['email_verified'] !== undefined) return claims['email_verified'] === true;
  return issuer.startsWith(ENTRA) && [true, 1, '1', 'true'].includes(claims['xms_edov'] as boolean);
}

class OidcProvider implements Provider {
  readonly #config: OidcConfig;
  readonly #doors: Doors;
  readonly #client: oauth.Client;
  readonly #options;
  #known: { until: number; server: Promise<oauth.AuthorizationServer> } | undefined;

  constructor(config: OidcConfig, doors: Doors) {
    this.#config = config;
    this.#doors = doors;
    this.#client = { client_id: config.clientId };
    this.#options = {
      [oauth.customFetch]: fetchBy(doors.fetch),
      [oauth.allowInsecureRequests]: config.issuer.startsWith('http:'),
    };
  }

  async addressFor({ state, nonce, verifier }: Flow, redirectUri: string): Promise<string> {
    return this.#explained(async () => {
      const { authorization_endpoint: endpoint = '' } = await this.#server();
      const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
      const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && this.#isInsecure());
      if (!url || !isSafe) throw new Error('The authorization endpoint is no https address.');
      const parameters = {
        client_id: this.#config.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: this.#config.scopes,
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    });
  }

  async redeem(
    answer: URLSearchParams,
    { state, nonce, verifier, redirectUri }: Flow & { redirectUri: string },
  ): Promise<Claims> {
    return this.#explained(async () => {
      const [server, client] = [await this.#server(), this.#client];
      const checked = oauth.validateAuthResponse(server, client, answer, state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        this.#secretFor(server),
        checked,
        redirectUri,
        verifier,
        this.#options,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: nonce,
        requireIdToken: true,
      });
      await oauth.validateApplicationLevelSignature(server, response, this.#options);
      const idToken = oauth.getValidatedIdTokenClaims(tokens);
      if (!idToken || idToken.sub === '' || idToken.sub.length > SUBJECT_LENGTH_MAX)
        throw new Error('The ID token names nobody.');
      return this.#claimsOf(await this.#completed(server, idToken, tokens.access_token));
    });
  }

  /** Asks for the user info where the ID token leaves out what is needed. */
  async #completed(
    server: oauth.AuthorizationServer,
    idToken: oauth.IDToken,
    accessToken: string,
  ): Promise<oauth.IDToken> {
    const { roles, roleClaim } = this.#config;
    const lacksGroups = roles.length > 0 && groupsIn(idToken, roleClaim).length === 0;
    const isWhole = textOf(idToken['email']) !== '' && !lacksGroups;
    if (isWhole || server.userinfo_endpoint === undefined) return idToken;
    const response = await oauth.userInfoRequest(server, this.#client, accessToken, this.#options);
    const info = await oauth.processUserInfoResponse(server, this.#client, idToken.sub, response);
    return { ...info, ...idToken };
  }

  #claimsOf(claims: oauth.IDToken): Claims {
    return {
      subject: claims.sub,
      email: textOf(claims['email']),
      isEmailVerified: isVerified(claims, this.#config.issuer),
      name: textOf(claims['name']).slice(0, NAME_LENGTH_MAX),
      groups: groupsIn(claims, this.#config.roleClaim),
    };
  }

  /** As the provider says that it takes the secret; in the header where it says nothing (RFC 8414). */
  #secretFor({ token_endpoint_auth_methods_supported: ways }: oauth.AuthorizationServer): oauth.ClientAuth {
    const { clientSecret } = this.#config;
    if (clientSecret === undefined) return oauth.None();
    const inBody = Array.isArray(ways) && !ways.includes('client_secret_basic') && ways.includes('client_secret_post');
    return inBody ? oauth.ClientSecretPost(clientSecret) : oauth.ClientSecretBasic(clientSecret);
  }

  /** How the provider describes itself, asked for once an hour. Who asks at the same time waits for the same answer. */
  #server(): Promise<oauth.AuthorizationServer> {
    const now = this.#doors.clock.now().getTime();
    if (this.#known && now < this.#known.until) return this.#known.server;
    const server = this.#discover();
    const known = { until: now + KNOWN_MS, server };
    this.#known = known;
    server.catch(() => (known.until = now + UNKNOWN_MS));
    return server;
  }

  async #discover(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(this.#config.issuer);
    return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, this.#options));
  }

  #isInsecure(): boolean {
    return this.#config.issuer.startsWith('http:');
  }

  async #explained<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw faultOf(this.#config.name, error);
    }
  }
}

/** One for each process: it remembers how the provider describes itself, and its keys. */
export const openProvider = (config: OidcConfig, doors: Doors): Provider => new OidcProvider(config, doors);
