// `galley validate ann@example.com`, `galley validate list.csv`: what is known of addresses.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, Reply } from '@galley/sdk';
import { connect, KEY_USAGE, orRefused, plain, SERVICE_OPTIONS, SERVICE_USAGE } from './service/connect.ts';
import { tell } from './tell.ts';
import { readArguments, UsageError } from './usage.ts';

const USAGE = `galley validate <address … | list.csv> [options]

Says what is known of addresses: how they are written, whether their domains take mail, what public lists and the
account's own mail say of them. What cannot be known is unknown. A file is a spreadsheet with a column named email: it is
validated in the background, and its results are printed as CSV.

  --name NAME        with a file: what the list is called; default: the name of the file
${SERVICE_USAGE}

Each address counts as one email validation.

${KEY_USAGE}
Exit codes: 0 done, 1 failed, 2 wrong usage.`;

const LOOK_AGAIN_MS = 500;
type Validation = Reply<'GET /v4/address/validate'>;

const line = (text: string): void => void process.stdout.write(`${text}\n`);

function show({ address, result, risk, did_you_mean: meant, checks }: Validation): void {
  line(`${plain(address)}: ${result}, risk ${risk}`);
  if (meant !== null) line(`    Did you mean ${plain(meant)}?`);
  for (const { outcome, text } of checks)
    if (outcome !== 'passed' && outcome !== 'not_made') line(`    ${plain(text)}`);
}

async function validateAddresses(client: Client, addresses: readonly string[], isJson: boolean): Promise<number> {
  for (const address of addresses) {
    const said = await client.call('GET /v4/address/validate', { query: { address } });
    if (isJson) line(JSON.stringify(said));
    else show(said);
  }
  return 0;
}

/** Waits for the list, then prints its results. */
async function validateFile(client: Client, file: string, { name, isJson }: { name: string; isJson: boolean }) {
  const form = new FormData();
  form.append('file', new File([await readFile(file)], basename(file)));
  const path = { list_id: name };
  // A form has no shape in the SDK.
  const given = { path, body: form };
  const made = await client.call('POST /v4/address/validate/bulk/{list_id}', given);
  tell(`${made.quantity} addresses are validated as the list ${name}.`);
  if (made.skipped > 0)
    tell(`${made.skipped} rows were left out; row ${made.problems[0]?.row}: ${made.problems[0]?.message}`);
  for (;;) {
    const job = await client.call('GET /v4/address/validate/bulk/{list_id}', { path });
    if (job.status === 'failed') {
      tell(`The list was given up: ${plain(job.reason ?? 'nobody knows why')}.`);
      return 1;
    }
    if (job.download_url) {
      const results = await fetch(isJson ? job.download_url.json : job.download_url.csv);
      process.stdout.write(await results.text());
      return 0;
    }
    await pause(LOOK_AGAIN_MS);
  }
}

/** Prints what is known. Returns the exit code; throws {@link UsageError}. */
export async function validate(args: string[]): Promise<number> {
  const { values, positionals } = readArguments('validate', args, { ...SERVICE_OPTIONS, name: { type: 'string' } });
  if (values.help) return (line(USAGE), 0);
  const [first, ...more] = positionals;
  if (first === undefined) throw new UsageError('Name an address or a file.');
  const isFile = existsSync(first);
  if (!isFile && !first.includes('@')) throw new UsageError(`There is no file ${first}, and it is no address.`);
  if (isFile && more.length > 0) throw new UsageError('galley validate takes one file, or addresses.');
  if (!isFile && values.name !== undefined) throw new UsageError('--name goes with a file.');
  const client = connect(values);
  const name = values.name ?? basename(first).replaceAll(/[@/]/g, '-');
  return orRefused(
    isFile
      ? validateFile(client, first, { name, isJson: values.json })
      : validateAddresses(client, positionals, values.json),
  );
}
