import { type Signal, type SignalExample, type SignalResult, signals, toSignalBit } from '#shared/reports/signals.ts';
import type { HostDomains, SharedValue } from './shared-values.ts';

const maxExamples = 5;
const maxNames = 3;
/** Hosts among which the domains of an example are looked for. */
const maxExampleHosts = 100;

export interface FoundSignals {
  signals: SignalResult[];
  /** For each host, the signals it shows: bits as `toSignalBit` returns them. */
  byHost: Uint8Array;
}

/** Collects which hosts show a signal, and examples. */
export function createResults({ byHost, names }: HostDomains) {
  const bits = new Uint8Array(byHost.length);
  const examples = new Map<Signal, SignalExample[]>();
  const toNames = (hosts: Iterable<number>) =>
    [...new Set(Array.from(hosts, (host) => byHost[host] as number))]
      .slice(0, maxNames)
      .flatMap((domain) => names[domain] ?? []);

  /** Returns the number of domains that have a host with a property. */
  function countDomains(has: (host: number) => boolean): number {
    const seen = new Uint8Array(names.length);
    let count = 0;
    for (let host = 0; host < byHost.length; host += 1) {
      const domain = byHost[host] as number;
      if (seen[domain] !== 0 || !has(host)) continue;
      seen[domain] = 1;
      count += 1;
    }
    return count;
  }

  return {
    countDomains,
    /** Adds values that several domains share, most domains first. */
    addValues(signal: Signal, kind: SignalExample['kind'], values: readonly SharedValue[]): void {
      const bit = toSignalBit(signal);
      for (const { hosts } of values) for (const host of hosts) bits[host] = (bits[host] as number) | bit;
      const shown = values.slice(0, maxExamples).map(({ text, hosts, domains }) => ({
        kind,
        text,
        count: domains,
        domains: toNames(hosts.subarray(0, maxExampleHosts)),
      }));
      examples.set(signal, mergeExamples(examples.get(signal) ?? [], shown));
    },
    /** Adds the hosts with a property. */
    addHosts(signal: Signal, has: (host: number) => boolean, found: readonly SignalExample[]): void {
      const bit = toSignalBit(signal);
      for (let host = 0; host < bits.length; host += 1) if (has(host)) bits[host] = (bits[host] as number) | bit;
      examples.set(signal, found.toSorted((a, b) => b.count - a.count).slice(0, maxExamples));
    },
    finish: (available: ReadonlySet<Signal>): FoundSignals => ({
      byHost: bits,
      signals: signals.map((signal) => {
        const bit = toSignalBit(signal);
        return {
          signal,
          available: available.has(signal),
          domains: countDomains((host) => ((bits[host] as number) & bit) !== 0),
          examples: examples.get(signal) ?? [],
        };
      }),
    }),
  };
}

/** Returns the examples of two kinds with the highest counts, but at least one of each. */
function mergeExamples(first: SignalExample[], second: SignalExample[]): SignalExample[] {
  const kept = first.slice(0, second.length > 0 ? maxExamples - 1 : maxExamples);
  return [...kept, ...second].slice(0, maxExamples).sort((a, b) => b.count - a.count);
}
