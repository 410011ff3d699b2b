// What this process counts of its own work, shown at /metrics in Prometheus' form.
import { Counter, Registry } from 'prom-client';

const COUNTERS = {
  galley_late_mail_total: {
    help: 'Messages that were dropped because no test waits for them any more: it was deleted while they came in.',
    labels: ['kind'],
  },
} as const;

type CounterName = keyof typeof COUNTERS;

export interface Metrics {
  registry: Registry;
  /** One more of these. */
  count<Name extends CounterName>(name: Name, labels: Record<(typeof COUNTERS)[Name]['labels'][number], string>): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const counters = new Map(
    Object.entries(COUNTERS).map(([name, { help, labels }]) => [
      name,
      new Counter({ name, help, labelNames: [...labels], registers: [registry] }),
    ]),
  );
  return { registry, count: (name, labels) => counters.get(name)?.inc(labels) };
}
