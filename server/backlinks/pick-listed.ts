import { listedNameOf, registrableDomain } from '../hosts/hosts.ts';

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
  /** By host number: the position of the listed name that covers it, or -1. */
  positions: Int32Array;
  /** Backlinks under the name at each position. */
  counts: number[];
}

/** Finds the name that covers each host among the listed ones. `hosts` maps a host to its backlinks; its order numbers them. */
export function pickListed(hosts: ReadonlyMap<string, number>, listed: Iterable<string>): Picks {
  const known = new Set(listed);
  const covered: { number: number; host: string; name: string }[] = [];
  const counts = new Map<string, number>();
  let number = 0;
  for (const [host, backlinks] of hosts) {
    const name = listedNameOf(host, known);
    if (name !== undefined) {
      covered.push({ number, host, name });
      counts.set(name, (counts.get(name) ?? 0) + backlinks);
    }
    number += 1;
  }
  return {
    names: [...counts.keys()],
    counts: [...counts.values()],
    settle(names) {
      const places = new Map(names.map((name, position) => [name, position]));
      const positions = new Int32Array(number).fill(-1);
      const domains = new Set<string>();
      for (const { number, host, name } of covered) {
        const position = places.get(name);
        if (position === undefined) continue;
        positions[number] = position;
        domains.add(registrableDomain(host) ?? host);
      }
      return { toxicDomains: domains.size, positions, counts: names.map((name) => counts.get(name) ?? 0) };
    },
  };
}
