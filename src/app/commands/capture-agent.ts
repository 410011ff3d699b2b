// `galley capture-agent`: shows messages in a real client of this machine, and sends the pictures to a Galley.
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../platform/errors/index.ts';
import { createAgentApi, type AgentApi, type AgentJob } from './capture-agent/agent-api.ts';
import { commandDriver, type CaptureDriver } from './capture-agent/drivers.ts';
import { untilSignal } from './interrupt.ts';
import { plain } from './service/connect.ts';
import { tell } from './tell.ts';
import { readArguments, UsageError } from './usage.ts';

const LOOK_MS = 5000;
const EXTEND_MS = 40_000;
const USAGE = `galley capture-agent --url URL --client ID --client-version TEXT --os TEXT [options] -- COMMAND [ARGUMENT …]
galley capture-agent --url URL --client ID --client-version TEXT --os TEXT --roundcube ADDRESS [options]

Takes jobs of the Galley at URL, shows each message in the client, and sends the picture. The token of the agent is
taken from GALLEY_AGENT_TOKEN; the operator enrolls the agent, and gets it once.

  --client ID            which client this is, as Galley calls it
  --client-version TEXT  its version, as it says it
  --os TEXT              the operating system and its version
  --scale N              pixels of the picture to a CSS pixel, 1 to 4; default: 1
  --once                 end when no job waits
  --roundcube ADDRESS    open messages in this Roundcube, signed in as GALLEY_WEBMAIL_USER with
                         GALLEY_WEBMAIL_PASSWORD; the mailbox must be one of its own

COMMAND is run for each message, with two more arguments: the file of the message, and where it must write the picture
as a PNG. It has two minutes. Only the client may open the message: it is hostile.

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 after Ctrl-C.`;

function readOptions(args: string[]) {
  const { values, positionals } = readArguments('capture-agent', args, {
    url: { type: 'string' },
    client: { type: 'string' },
    'client-version': { type: 'string' },
    os: { type: 'string' },
    scale: { type: 'string' },
    roundcube: { type: 'string' },
    once: { type: 'boolean', default: false },
  });
  if (values.help) return undefined;
  const given = (name: 'url' | 'client' | 'client-version' | 'os'): string => {
    const value = values[name]?.trim();
    if (!value) throw new UsageError(`--${name} is required. \`galley capture-agent --help\` lists the options.`);
    return value;
  };
  const url = given('url');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`--url must be an address such as https://galley.example.com; it is "${url}".`);
  const scale = Number(values.scale ?? 1);
  if (!(scale >= 1 && scale <= 4)) throw new UsageError(`--scale must be 1 to 4; it is "${values.scale}".`);
  if ((values.roundcube === undefined) === (positionals.length === 0))
    throw new UsageError('Give a command after --, or --roundcube, and not both.');
  const token = process.env['GALLEY_AGENT_TOKEN'] ?? '';
  if (token === '')
    throw new UsageError('No token: set GALLEY_AGENT_TOKEN to the one that enrolling the agent showed.');
  const client = { client: given('client'), version: given('client-version'), os: given('os') };
  return { url, client, scale, token, roundcube: values.roundcube, isOnce: values.once, command: positionals };
}

type Options = NonNullable<ReturnType<typeof readOptions>>;

async function driverFor({ roundcube, command }: Options): Promise<CaptureDriver> {
  if (roundcube === undefined) return commandDriver(command);
  const { openRoundcube } = await import('../../platform/browser/roundcube.ts');
  const { GALLEY_WEBMAIL_USER: user = '', GALLEY_WEBMAIL_PASSWORD: password = '' } = process.env;
  if (user === '' || password === '')
    throw new UsageError('--roundcube needs GALLEY_WEBMAIL_USER and GALLEY_WEBMAIL_PASSWORD.');
  return openRoundcube({ url: roundcube, user, password });
}

/** One job to its end: a picture, or why there is none. */
async function work(api: AgentApi, job: AgentJob, { driver, scale, signal }: Options & Work): Promise<void> {
  const extending = setInterval(
    () => void api.extend(job.id).catch((error: unknown) => tell(messageOf(error))),
    EXTEND_MS,
  );
  try {
    const png = await driver.capture({ subject: job.subject, message: Buffer.from(job.message, 'base64') }, signal);
    await api.complete(job.id, png, scale);
    tell(`Captured "${plain(job.subject, 80)}".`);
  } catch (error) {
    signal.throwIfAborted();
    const reason = plain(messageOf(error), 900) || 'The driver gave no reason.';
    tell(`Not captured "${plain(job.subject, 80)}": ${reason}`);
    await api.fail(job.id, reason);
  } finally {
    clearInterval(extending);
  }
}

interface Work {
  driver: CaptureDriver;
  signal: AbortSignal;
}

async function run(options: Options & Work): Promise<number> {
  const { client, isOnce, signal } = options;
  const api = createAgentApi({ ...options, signal });
  for (;;) {
    const job = await api.claim([client]);
    if (job) await work(api, job, options);
    else if (isOnce) return 0;
    else await pause(LOOK_MS, undefined, { signal });
  }
}

/** Captures what a Galley asks for. Returns the exit code; throws {@link UsageError}. */
export async function captureAgent(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (!options) return process.stdout.write(`${USAGE}\n`) ? 0 : 1;
  const driver = await driverFor(options);
  return untilSignal(
    async (signal) => {
      try {
        return await run({ ...options, driver, signal });
      } catch (error) {
        signal.throwIfAborted();
        tell(messageOf(error));
        return 1;
      }
    },
    () => driver.close(),
  );
}
