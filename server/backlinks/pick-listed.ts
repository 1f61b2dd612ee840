import { registrableDomain } from '../domains/host.ts';
import { listedNameOf } from '../domains/listed-name.ts';

/** The hosts of a file that the blacklist covers. */
export interface Picks {
  /** Listed names that cover a host, and the backlinks under each. */
  names: string[];
  counts: number[];
  /** Keeps only the given names, which stand in the order of their positions in the report. */
  settle(names: readonly string[]): Settled;
}

export interface Settled {
  toxicDomains: number;
  /** Each harmful host and the position of the listed name that covers it. */
  positions: Map<string, number>;
  /** Backlinks under the name at each position. */
  counts: number[];
}

/** Finds the name that covers each host among the listed ones. `hosts` maps a host to its backlinks. */
export function pickListed(hosts: ReadonlyMap<string, number>, listed: Iterable<string>): Picks {
  const known = new Set(listed);
  const nameOf = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const [host, backlinks] of hosts) {
    const name = listedNameOf(host, known);
    if (name === undefined) continue;
    nameOf.set(host, name);
    counts.set(name, (counts.get(name) ?? 0) + backlinks);
  }
  return {
    names: [...counts.keys()],
    counts: [...counts.values()],
    settle(names) {
      const places = new Map(names.map((name, position) => [name, position]));
      const positions = new Map<string, number>();
      const domains = new Set<string>();
      for (const [host, name] of nameOf) {
        const position = places.get(name);
        if (position === undefined) continue;
        positions.set(host, position);
        domains.add(registrableDomain(host) ?? host);
      }
      return { toxicDomains: domains.size, positions, counts: names.map((name) => counts.get(name) ?? 0) };
    },
  };
}
