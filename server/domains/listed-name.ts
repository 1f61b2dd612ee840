import { lookupNames } from './host.ts';

/**
 * The listed name that covers a host: the host itself, else the nearest parent, never above its registrable domain.
 * `listed` holds at least those of the host's look-up names that are listed, and may hold other names too.
 */
export function listedNameOf(host: string, listed: { has(name: string): boolean }): string | undefined {
  if (listed.has(host)) return host;
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
    const parent = host.slice(dot + 1);
    // Looking for the registrable domain takes long, and most hosts have no listed parent at all.
    if (listed.has(parent)) return lookupNames(host).includes(parent) ? parent : undefined;
  }
  return undefined;
}
