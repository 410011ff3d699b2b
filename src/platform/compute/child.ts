// A process that computes, one order after the other, and can be ended at any moment. It has no part in anything else:
// no database, no network, nothing of the environment.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { RUNTIME_DIR } from '../parts/places.ts';
import type { Computation } from './computation.ts';
import { inParts, PartsTaken, type ListPart } from './long-lists.ts';
import { describeThrown, KEPT_RSS_BYTES, type Order, type Reply } from './wire.ts';

enableCompileCache(join(RUNTIME_DIR, 'compile-cache'));

const known = new Map<string, Computation<unknown, unknown>>();

async function find({ module, name }: Order): Promise<Computation<unknown, unknown>> {
  const key = `${module} ${name}`;
  const found = known.get(key) ?? ((await import(module)) as Record<string, Computation<unknown, unknown>>)[name];
  if (!found) throw new Error(`${module} exports no computation "${name}".`);
  if (!known.has(key)) flushCompileCache();
  known.set(key, found);
  return found;
}

/**
 * What the process holds. V8 gives back to the system what an order left behind only when it is told to, which takes a
 * fraction of what starting another process takes.
 */
function heldBytes(): number {
  const before = process.memoryUsage.rss();
  if (before <= KEPT_RSS_BYTES) return before;
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  return process.memoryUsage.rss();
}

const taken = new PartsTaken();

async function answer(order: Order): Promise<Reply> {
  const { id } = order;
  try {
    const computation = await find(order);
    send({ begun: id });
    const output = await computation.run(taken.filled(id, order.input));
    return { id, output, rssBytes: heldBytes() };
  } catch (thrown) {
    return { id, error: describeThrown(thrown), rssBytes: heldBytes() };
  }
}

function send(reply: Reply): void {
  // An output that is too large to be sent throws here, and the order would stay open for ever.
  try {
    const whole = 'output' in reply ? inParts(reply.output, reply.id) : undefined;
    for (const part of whole?.parts ?? []) process.send?.(part);
    process.send?.(whole ? { ...reply, output: whole.value } : reply);
  } catch (thrown) {
    if (!('output' in reply)) throw thrown;
    process.send?.({ id: reply.id, error: describeThrown(thrown), rssBytes: reply.rssBytes } satisfies Reply);
  }
}

process.on('message', (order: Order | ListPart) => {
  if ('partOf' in order) taken.take(order);
  else void answer(order).then(send);
});
process.on('disconnect', () => process.exit());
send({ ready: true });
