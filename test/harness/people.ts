// People who are invited, follow the link in their email, and sign in.
import assert from 'node:assert/strict';
import { startMailServer, type MailServer } from './mail-server.ts';
import { startApp, type Answer, type App, type Call } from './start-app.ts';

export const PASSWORD = 'seven purple umbrellas';
const PUBLIC_URL = 'https://galley.example.com';

export interface People {
  app: App;
  mail: MailServer;
  /** A call from the dashboard with this cookie. */
  as(cookie: string, operation: string, call?: Call): Promise<Answer>;
  /** What stands behind the # of the last link that was sent to the address. */
  tokenFor(email: string): Promise<string>;
  /** Invites somebody, who accepts. Answers their id. */
  join(email: string, role?: string): Promise<string>;
  /** The cookie. */
  signIn(email: string, password?: string): Promise<string>;
  close(): Promise<void>;
}

export const cookieOf = ({ headers }: Answer): string => (headers.get('set-cookie') ?? '').split(';', 1)[0] as string;

/** A Galley that sends its emails to a server of the test's. */
export async function startPeople(settings: Record<string, string> = {}): Promise<People> {
  const mail = await startMailServer();
  const app = await startApp({
    GALLEY_ROLES: 'api,work',
    GALLEY_PUBLIC_URL: PUBLIC_URL,
    GALLEY_SMTP_RELAY: `smtp://127.0.0.1:${mail.port}`,
    ...settings,
  });
  const open = (operation: string, body: object) => app.call(operation, { key: null, body });
  const tokenFor = async (email: string): Promise<string> => {
    await app.idle();
    const sent = mail.messages.findLast(({ to }) => to.includes(email));
    assert.ok(sent, `an email to ${email}`);
    const text = sent.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    return /\/welcome#([\w-]+)/.exec(text)?.[1] as string;
  };
  return {
    app,
    mail,
    tokenFor,
    as: (cookie, operation, { headers, ...call } = {}) =>
      app.call(operation, { key: null, headers: { cookie, origin: app.url, ...headers }, ...call }),
    async join(email, role = 'developer') {
      const { status, body } = await app.call('POST /v5/users', { body: { email, name: 'Ann', role } });
      assert.equal(status, 200, JSON.stringify(body));
      const used = await open('POST /v5/users/links/use', { token: await tokenFor(email), password: PASSWORD });
      assert.equal(used.status, 200, JSON.stringify(used.body));
      return body.user.id;
    },
    async signIn(email, password = PASSWORD) {
      const answer = await open('POST /v1/session/password', { email, password });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return cookieOf(answer);
    },
    close: async () => {
      // Whatever closing the one throws, the other is not left open.
      try {
        await app.close();
      } finally {
        await mail.close();
      }
    },
  };
}
