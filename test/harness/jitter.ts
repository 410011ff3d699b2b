// `GALLEY_TEST_JITTER=1 npm test -- …`: statements of the database wait a moment at random, before and after they run.
// What holds only because a statement is fast (an answer that reads again what a job may have ended) fails here, and not
// first on another machine. The order of statements on one connection stays.
import { setTimeout as pause } from 'node:timers/promises';
import { PostgresDriver, type DatabaseConnection } from 'kysely';

/** How many statements wait, and how long at most, in milliseconds. */
const SHARE = 0.15;
const LONGEST_MS = 60;

async function wait(): Promise<void> {
  if (Math.random() < SHARE) await pause(Math.random() * LONGEST_MS);
}

/** Slows the statements of every database that this process opens from now on. */
function slowStatements(): void {
  const known = new WeakSet<DatabaseConnection>();
  const acquire = PostgresDriver.prototype.acquireConnection;
  PostgresDriver.prototype.acquireConnection = async function acquireSlowly(...options) {
    const connection = await acquire.apply(this, options);
    if (known.has(connection)) return connection;
    known.add(connection);
    const execute = connection.executeQuery.bind(connection) as DatabaseConnection['executeQuery'];
    connection.executeQuery = async <Row>(...query: Parameters<DatabaseConnection['executeQuery']>) => {
      await wait();
      const answer = await execute<Row>(...query);
      await wait();
      return answer;
    };
    return connection;
  };
}

if (process.env['GALLEY_TEST_JITTER']) slowStatements();
