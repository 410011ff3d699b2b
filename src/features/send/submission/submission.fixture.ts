// What the tests of submission share: a service with a domain and a login, and mail programs that use it.
import nodemailer from 'nodemailer';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

export const DOMAIN = 'mail.example.com';
export const LOGIN = { user: `ann@${DOMAIN}`, pass: 'correct horse' };

export interface Bed {
  app: App;
  /** With STARTTLS, and with TLS from the first byte. */
  port: number;
  tlsPort: number;
  close(): Promise<void>;
}

export async function startBed(
  settings: Record<string, string> = {},
  world: Parameters<typeof startApp>[1] = {},
): Promise<Bed> {
  const app = await startApp({ GALLEY_ROLES: 'api,work,mail', ...settings }, world);
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  const body = { login: LOGIN.user, password: LOGIN.pass };
  await app.call(`POST /v3/domains/${DOMAIN}/credentials`, { body });
  const line = app.galley.about.find((text) => text.startsWith('submission: ')) ?? '';
  const [, port, tlsPort] = /smtp:\/\/[^,]*?:(\d+), smtps:\/\/[^,]*?:(\d+)/.exec(line) ?? [];
  if (port === undefined || tlsPort === undefined) throw new Error(`No ports in "${line}".`);
  return { app, port: Number(port), tlsPort: Number(tlsPort), close: () => app.close() };
}

/** nodemailer as programs use it; the certificate is the service's own. */
export function mailProgram({ port, tlsPort }: Bed, options: Record<string, unknown> = {}) {
  const isSecure = options['secure'] === true;
  return nodemailer.createTransport({
    host: '127.0.0.1',
    port: isSecure ? tlsPort : port,
    auth: LOGIN,
    tls: { rejectUnauthorized: false },
    ...options,
  } as Parameters<typeof nodemailer.createTransport>[0]);
}

interface Row {
  key: string;
  recipients: string[];
  [name: string]: unknown;
}

/** The message that was accepted last, as the table has it. */
export async function lastMessage({ app }: Bed): Promise<Row> {
  const { rows } = await app.galley.outside.db.text('select * from sent_messages order by id desc limit 1');
  return rows[0] as Row;
}

export async function countMessages({ app }: Bed): Promise<number> {
  const { rows } = await app.galley.outside.db.text('select count(*)::int as count from sent_messages');
  return (rows[0] as { count: number }).count;
}

/** The whole of it, read back over HTTP. */
export async function mimeOf({ app }: Bed, key: string): Promise<string> {
  const headers = { accept: 'message/rfc2822' };
  const { body } = await app.call(`GET /v3/domains/${DOMAIN}/messages/${key}`, { headers });
  return body['body-mime'];
}
