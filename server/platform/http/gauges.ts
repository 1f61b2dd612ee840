import type { FastifyBaseLogger } from 'fastify';
import { Gauge, type Registry } from 'prom-client';

/** Metrics that come from the same rows. */
interface GaugeGroup<Row> {
  /** Reads the rows when the metrics are requested. If it fails, the metrics are absent. */
  read(): Promise<Row[]>;
  /** The columns that tell the rows apart. */
  labels: readonly (keyof Row & string)[];
  /** By name. A row without a value is absent. */
  gauges: Record<string, { help: string; value(row: Row): number | undefined }>;
}

/** Adds metrics to a registry for Prometheus. All metrics of a group are collected from one reading. */
export function addGauges<Row>(
  registry: Registry,
  log: FastifyBaseLogger,
  { read, labels, gauges }: GaugeGroup<Row>,
): void {
  let reading: Promise<Row[]> | undefined;
  const readOnce = () => {
    reading ??= read()
      .catch((error: unknown) => {
        log.warn({ err: error }, `could not read the metrics ${Object.keys(gauges).join(', ')}`);
        return [];
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  for (const [name, { help, value: toValue }] of Object.entries(gauges)) {
    new Gauge<string>({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      async collect() {
        this.reset();
        for (const row of await readOnce()) {
          const value = toValue(row);
          if (value !== undefined)
            this.set(Object.fromEntries(labels.map((label) => [label, String(row[label])])), value);
        }
      },
    });
  }
}
