// A Galley that mail comes in to, and a receiver of what its routes post.
import { after, before } from 'node:test';
import { connectSmtp } from '../../../../test/harness/smtp-client.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { startWebServer } from '../../../../test/harness/web-server.ts';

export const DOMAIN = 'in.example.com';

interface Post {
  path: string;
  type: string;
  fields: FormData;
}

interface RouteBed {
  app: App;
  url: string;
  /** What was posted to a path. */
  posts(path: string): Post[];
  /** How a path answers; 200 unless it is said. */
  answer(path: string, status: number): void;
  /** Makes a route, and answers its id. */
  route(expression: string, action: string | string[], more?: object): Promise<string>;
  /** Says a message by SMTP; answers the last reply. */
  send(to: string | string[], message: string | string[], from?: string): Promise<string>;
  /** What routes did, as the list shows it, once it is so. */
  deliveries(isDone: (items: any[]) => boolean): Promise<any[]>;
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30));

/** Starts it before the tests of this file, and closes it after them. */
export function routeBed(): RouteBed {
  const bed = {} as RouteBed;
  const answers = new Map<string, number>();
  const posts: Post[] = [];
  let close = async (): Promise<void> => {};
  before(async () => {
    const server = await startWebServer(async ({ path, headers, bytes }, response) => {
      const type = String(headers['content-type']);
      const fields = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
      posts.push({ path: path.split('?')[0] as string, type, fields });
      response.writeHead(answers.get(path) ?? 200, { 'content-type': 'text/plain' }).end('thanks');
    });
    const app = await startApp({ GALLEY_ROLES: 'api,work,mail,send', GALLEY_ALLOW_HOSTS: server.host });
    await app.call('POST /v4/domains', { body: { name: DOMAIN } });
    close = async () => {
      await app.close();
      await server.close();
    };
    Object.assign(bed, { app, url: server.url });
  });
  after(() => close());
  return Object.assign(bed, {
    posts: (path: string) => posts.filter((post) => post.path === path),
    answer: (path: string, status: number) => void answers.set(path, status),
    async route(expression: string, action: string | string[], more = {}) {
      const { status, body } = await bed.app.call('POST /v3/routes', { body: { expression, action, ...more } });
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body.route.id as string;
    },
    async send(to: string | string[], message: string | string[], from = 'ann@sender.example') {
      const client = await connectSmtp(bed.app.galley.outside.ownSmtp!.port);
      await client.say('EHLO client.test');
      await client.say(`MAIL FROM:<${from}>`);
      for (const one of [to].flat()) {
        const reply = await client.say(`RCPT TO:<${one}>`);
        if (reply.startsWith('5')) {
          client.close();
          return reply;
        }
      }
      await client.say('DATA');
      const reply = await client.say(`${[message].flat().join('\r\n')}\r\n.`);
      client.close();
      return reply;
    },
    async deliveries(isDone: (items: any[]) => boolean) {
      for (;;) {
        const { items } = (await bed.app.call('GET /v1/galley/routes/deliveries?limit=100')).body;
        if (isDone(items)) return items;
        await pause();
      }
    },
  });
}
