// `galley start`: serves until a signal stops it.
import { loadVerifiers } from '../../engines/mail-authentication/index.ts';
import { resolverOf } from '../../features/monitor/blocklists/index.ts';
import { readConfig } from '../../platform/config/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { startGalley, type Galley } from '../serve.ts';
import { VERSION } from '../version.ts';
import { onStop } from './stop-signals.ts';
import { readArguments, UsageError } from './usage.ts';

const USAGE = `galley start

Serves the API, the dashboard, the workers and the mail listener until it is told to stop (SIGTERM, SIGINT or Ctrl-C).
It takes no options: settings are environment variables (docs/configuration.md). GALLEY_PORT is the port, GALLEY_DATA_DIR
the directory of its data, GALLEY_ROLES what this process does.

Exit codes: 0 stopped, 1 could not start, 2 wrong usage.`;

/** What the operator sees: addresses, engines, and the first key, once. */
function summaryOf(galley: Galley): string {
  const { config, browser, db } = galley.outside;
  const lines = [`Galley ${VERSION} is ready.`, ''];
  if (!config.roles.includes('api')) lines.push(`  Health      ${galley.url}/health   (metrics: /metrics)`);
  else
    lines.push(
      `  Dashboard   ${config.publicUrl || galley.url}/`,
      `  API         ${config.publicUrl || galley.url}/v2/preview/tests   (reference: /docs, health: /health)`,
    );
  for (const line of galley.about) lines.push(`  Mail        ${line}`);
  for (const line of browser.summary) lines.push(`  Engine      ${line}`);
  lines.push(
    '  Storage     ' +
      `${db.isEmbedded ? `embedded database and files in ${config.dataDir}` : `PostgreSQL${config.storageUrl ? ' and S3' : `, files in ${config.dataDir}`}`}`,
  );
  if (galley.newKey && config.apiKey) lines.push('', '  API key     the one in GALLEY_API_KEY');
  else if (galley.newKey)
    lines.push(
      '',
      `  API key     ${galley.newKey}`,
      '              Save this key: it will not be shown again. `npm run galley -- keys create` creates another.',
    );
  if (galley.isApiKeyIgnored)
    lines.push('', '  GALLEY_API_KEY is set but was not used: Galley reads it only on first start.');
  const { advice } = resolverOf(galley.outside);
  if (advice && config.roles.includes('work')) lines.push('', `  ${advice}`);
  return `${lines.join('\n')}\n\n`;
}

/** The operator learns of an engine that is installed and does not start before a reader misses it. */
async function tryEngines({ outside: { browser, log } }: Galley): Promise<void> {
  try {
    for (const reason of await browser.tryOut()) process.stdout.write(`  Engine      ${reason} Chromium stands in.\n`);
  } catch (err) {
    log.error({ err }, 'the optional engines could not be tried');
  }
}

/** Runs until a signal stops it, drains, and resolves with the exit code. A second signal ends it at once. */
export async function start(args: string[]): Promise<number> {
  const { values, positionals } = readArguments('start', args, {});
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  if (positionals.length > 0)
    throw new UsageError(`galley start takes no arguments; it was given "${positionals.join(' ')}".\n\n${USAGE}`);
  const config = readConfig(process.env);
  // Messages, keys and the database are private: only this process's user may read the files that it creates.
  process.umask(0o077);
  const stopped = new Promise<string>(onStop);
  // The first message that is judged would hold up everybody who is answered by then.
  if (config.roles.includes('work') || config.roles.includes('mail')) await loadVerifiers();
  const galley = await startGalley({ config, log: createLog(config.logLevel) });
  process.stdout.write(summaryOf(galley));
  void galley.outside.compute.warm();
  void galley.outside.browser
    .warm()
    .catch((error: unknown) =>
      galley.outside.log.error({ err: error }, 'the browsers did not start; Galley tries again at the first render'),
    );
  if (config.roles.includes('work')) void tryEngines(galley);
  await stopped;
  process.stdout.write('Stopping: finishing what is under way …\n');
  await galley.close();
  return 0;
}
