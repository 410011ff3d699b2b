// The program as it is started by hand, on a database and a directory of its own, without a network but loopback; and
// what the calls share: one web site, and things that are made once.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assetServer, type AssetServer } from '../harness/asset-server.ts';
import { freePorts } from '../harness/daemon.ts';
import { FREE_PORTS, startProgram } from '../harness/program.ts';
import { freshDatabase } from '../harness/template-database.ts';
import { startUdpDns, type DnsServer } from '../harness/udp-dns.ts';

const ROOT = join(import.meta.dirname, '../..');
const KEY = 'key-of-the-account-that-calls-everything';
const DEADLINE_MS = 90_000;
/** Where links of messages lead. */
export const LINK_HOST = 'service.galley.test';

type FormValue = string | File;

/** What a call says beside its method and path. */
export interface Request {
  /** What stands for the names in braces. */
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | readonly string[]>>;
  json?: unknown;
  /** Sent as multipart; a list as a field that is repeated. */
  form?: Readonly<Record<string, FormValue | readonly FormValue[]>>;
  headers?: Readonly<Record<string, string>>;
  /** Without a key. */
  isOpen?: boolean;
}

/** A request that the service has to refuse with this status. */
export interface Wrong extends Request {
  status: number;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: any;
}

/** How an operation is called. */
export interface Call {
  well(bed: Bed): Request | Promise<Request>;
  wrong(bed: Bed): Wrong | Promise<Wrong>;
  /** Lists (`items.results.b2b.results[]`) that are rightly empty here. */
  mayBeEmpty?: readonly string[];
  /** Required fields (`items[].user_name`) that the service leaves out where they are not known, on purpose. */
  leavesOut?: readonly string[];
  /** Operations without which nobody could make the good call: they tell what it names. */
  needs?: readonly string[];
}

/** By `METHOD /path` of the lists. */
export type Calls = Readonly<Record<string, Call>>;

/** A running service, and what calls share. */
export interface Bed extends AsyncDisposable {
  /** A web site on loopback: `/red.png`, `/style.css`, `/page`. */
  site: AssetServer;
  /** The only name server: it knows what calls add. */
  names: DnsServer;
  /** `send('GET /v1/keys/{key_id}', { path: { key_id } })` */
  send(operation: string, request?: Request): Promise<Answer>;
  /** The same; throws unless the answer is a success. */
  get(operation: string, request?: Request): Promise<any>;
  /** Asks until the answer satisfies. */
  until(operation: string, request: Request, isDone: (body: any) => boolean): Promise<any>;
  /** What of this name was made before, or else is made now. */
  once<Made>(name: string, make: () => Promise<Made>): Promise<Made>;
}

/** Settings of the shell must not lead the program to a real database. */
function environment(settings: Record<string, string>): NodeJS.ProcessEnv {
  const ours = Object.keys(process.env).filter((name) => name.startsWith('GALLEY_'));
  return { ...Object.fromEntries(ours.map((name) => [name, undefined])), ...settings };
}

function bodyOf({ json, form }: Request): { body?: string | FormData; type?: string } {
  if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json' };
  if (!form) return {};
  const body = new FormData();
  for (const [name, values] of Object.entries(form)) for (const value of [values].flat()) body.append(name, value);
  return { body };
}

function targetOf(path: string, { path: names = {}, query = {} }: Request): string {
  const filled = path.replaceAll(/\{([\w-]+)\}/g, (_, name: string) => {
    const value = names[name];
    if (value === undefined) throw new Error(`The call of ${path} does not say what ${name} is.`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) for (const value of [values].flat()) search.append(name, value);
  return search.size ? `${filled}?${search}` : filled;
}

async function decode(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function callsTo(url: string): Pick<Bed, 'send' | 'get' | 'until'> {
  const send = async (operation: string, request: Request = {}): Promise<Answer> => {
    const [method = '', path = ''] = operation.split(' ');
    const { body, type } = bodyOf(request);
    const response = await fetch(url + targetOf(path, request), {
      method,
      headers: {
        ...(!request.isOpen && { authorization: `Basic ${btoa(`api:${KEY}`)}` }),
        ...(type && { 'content-type': type }),
        ...request.headers,
      },
      ...(body !== undefined && { body }),
    });
    return { status: response.status, headers: response.headers, body: await decode(response) };
  };
  const get = async (operation: string, request: Request = {}): Promise<any> => {
    const { status, body } = await send(operation, request);
    if (status >= 300) throw new Error(`${operation} answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
    return body;
  };
  const until = async (operation: string, request: Request, isDone: (body: any) => boolean): Promise<any> => {
    const deadline = Date.now() + DEADLINE_MS;
    for (;;) {
      const body = await get(operation, request);
      if (isDone(body)) return body;
      if (Date.now() > deadline) throw new Error(`${operation} still answers ${JSON.stringify(body).slice(0, 300)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  return { send, get, until };
}

/** Starts everything; disposing of it leaves nothing. */
export async function startBed(): Promise<Bed> {
  const stack = new AsyncDisposableStack();
  try {
    const dataDir = await mkdtemp(join(tmpdir(), 'galley-conformance-'));
    stack.defer(() => rm(dataDir, { recursive: true, force: true }));
    const database = await freshDatabase(dataDir);
    stack.defer(() => database.remove());
    const site = await assetServer();
    stack.defer(() => site.close());
    site.set('/page', 'text/html', '<title>A page</title><p>Hello</p>');
    const names = await startUdpDns({});
    stack.defer(() => names.close());
    const [port] = (await freePorts(1)) as [number];
    const env = environment({
      ...FREE_PORTS,
      GALLEY_PORT: String(port),
      // Has a host, as tracking hosts need; an authority that nobody answers for keeps what is asked of it waiting.
      GALLEY_PUBLIC_URL: `http://${LINK_HOST}`,
      GALLEY_ACME_TERMS: 'agreed',
      GALLEY_ACME_DIRECTORY: 'http://127.0.0.1:9/directory',
      GALLEY_SMTP_DOMAIN: 'galley.test',
      GALLEY_DATA_DIR: dataDir,
      GALLEY_SENDING_IPS: [2, 3, 4, 5, 6, 7, 51, 52, 53, 54, 55, 56, 57, 58]
        .map((end) => `127.0.0.${end}=mail${end}.example.com`)
        .join(','),
      GALLEY_API_KEY: KEY,
      GALLEY_ALLOW_HOSTS: new URL(site.url).host,
      GALLEY_DNS_SERVERS: `127.0.0.1:${names.port}`,
      GALLEY_FIND_FILTERS: 'off',
      GALLEY_BROWSERS: '1',
      GALLEY_OPTIONAL_ENGINES: 'off',
      GALLEY_LOG_LEVEL: 'error',
      ...database.env,
    });
    const program = startProgram([process.execPath, 'src/main.ts', 'start'], { cwd: ROOT, env });
    stack.defer(async () => {
      program.child.kill('SIGTERM');
      const isLeft = setTimeout(() => void program.end(), 15_000);
      await program.ended;
      clearTimeout(isLeft);
    });
    await program.says(/ {2}API +http/);
    const url = `http://127.0.0.1:${port}`;
    const made = new Map<string, Promise<any>>();
    const parts = stack.move();
    return {
      site,
      names,
      ...callsTo(url),
      once(name, make) {
        if (!made.has(name)) made.set(name, make());
        return made.get(name)!;
      },
      [Symbol.asyncDispose]: () => parts.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}
