// PostgreSQL's dialect for Kysely, in which failed statements throw the service's own errors.
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Dialect,
} from 'kysely';
import { AppError, FULL } from '../errors/index.ts';
import type { Connections } from './connections.ts';
import { faultOf } from './faults.ts';

/** How long the database counts as full after it refused a write for lack of space. */
const FULL_MS = 5000;
let fullAt = Number.NEGATIVE_INFINITY;

/** Why the database takes no changes, when it has just refused one for want of room. */
export function fullness(): string | undefined {
  return performance.now() - fullAt < FULL_MS ? FULL : undefined;
}

/** Throws the fault that an error of the database stands for. */
export function rethrow(error: unknown): never {
  const fault = faultOf(error);
  if (fault instanceof AppError && fault.code === 'out_of_space') fullAt = performance.now();
  throw fault;
}

const transaction = new AsyncLocalStorage<true>();

/** Inside `work` the pool may not be used: with one session, it would wait for itself for ever. */
export function insideTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
  return transaction.run(true, work);
}

/** What was read from a message may hold U+0000, which no column can. */
function storable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(storable);
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}

class FaultDriver extends PostgresDriver {
  #known = new WeakSet<DatabaseConnection>();

  override async acquireConnection(
    ...options: Parameters<PostgresDriver['acquireConnection']>
  ): Promise<DatabaseConnection> {
    if (transaction.getStore()) throw new Error('The pool was used inside an open transaction; use the transaction.');
    const connection = await super.acquireConnection(...options).catch(rethrow);
    if (this.#known.has(connection)) return connection;
    this.#known.add(connection);
    const execute = connection.executeQuery.bind(connection) as DatabaseConnection['executeQuery'];
    connection.executeQuery = <Row>(...[query, ...rest]: Parameters<DatabaseConnection['executeQuery']>) =>
      execute<Row>({ ...query, parameters: query.parameters.map(storable) }, ...rest).catch(rethrow);
    return connection;
  }
}

/** The dialect for a pool of connections. */
export function dialectOf(connections: Connections): Dialect {
  return {
    createDriver: () => new FaultDriver({ pool: connections as never }),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}
