// ClickHouse within this process, behind as much of its server's HTTP interface as the official client speaks: a statement
// a request, one after another; settings and `param_…` in the address; errors with their code. A program of its own,
// since it computes on the thread that answers:
//
//   node clickhouse-program.mjs <package of chdb> <directory> [<port>]
//
// It says to its parent at which port it listens. A message `lose the answer` lets the next `insert` be done and its
// connection end without an answer.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';

const [, , chdb, directory, port = '0'] = process.argv;
const { Session } = createRequire(import.meta.url)(chdb);
const session = new Session(directory);
let losing = 0;
process.on('message', () => (losing += 1));
process.on('disconnect', () => process.exit());

/** What stands in the address and is no setting. */
const OTHERS = new Set(['query', 'query_id', 'database', 'default_format', 'session_id', 'enable_http_compression']);
const quoted = (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const ask = (statement) => session.query(statement, 'TabSeparated');

function answerOf(asked, body) {
  const settings = [...asked].filter(([name]) => !OTHERS.has(name));
  ask(`use ${asked.get('database') ?? 'default'}`);
  if (settings.length > 0) ask(`set ${settings.map(([name, value]) => `${name} = ${quoted(value)}`).join(', ')}`);
  try {
    const statement = asked.get('query') ?? '';
    return ask(statement === '' ? body : `${statement}\n${body}`);
  } finally {
    const own = settings.filter(([name]) => !name.startsWith('param_'));
    if (own.length > 0) ask(`set ${own.map(([name]) => `${name} = default`).join(', ')}`);
  }
}

const server = createServer(async (request, response) => {
  const { searchParams } = new URL(request.url, 'http://localhost');
  const body = await text(request);
  try {
    const answer = answerOf(searchParams, body);
    if (losing > 0 && body.startsWith('insert')) {
      losing -= 1;
      return response.destroy();
    }
    response.end(answer);
  } catch (error) {
    const [, code = '1002'] = /Code: (\d+)/.exec(error.message) ?? [];
    response.writeHead(500, { 'x-clickhouse-exception-code': code }).end(error.message);
  }
});
server.listen(Number(port), '127.0.0.1', () => process.send(server.address().port));
