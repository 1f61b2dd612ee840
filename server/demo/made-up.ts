const words = (
  'online best web shop news blog digital media home tech health travel world life food style links guide marketing business ' +
  'money games casino bet poker crypto loan credit finance review cheap deals store design studio art photo music video movie ' +
  'sport fitness yoga diet skin beauty fashion kids family house garden kitchen recipe coffee wine pet dog auto moto parts repair ' +
  'expert group club hub zone spot point city local global data soft code app phone smart eco solar power light star blue red ' +
  'gold silver royal king prime max ultra super micro easy quick express daily hour post press magazine book academy study job ' +
  'career law legal invest trade market stock fund bank estate property hotel flight tour holiday beach island river forest rose ' +
  'wedding party event gift toy fun dream secret fresh pure safe guard clinic dental care herb natural organic farm pizza cafe'
).split(' ');

/** Endings that no real site can have (RFC 2606), so that made-up names never point at anybody. */
export const reservedEndings = ['example', 'test', 'invalid'] as const;

export interface Chance {
  /** From 0 up to 1. */
  next(): number;
  /** One of the list; `skew` above 1 prefers its beginning. */
  pick<T>(list: readonly [T, ...T[]] | readonly T[], skew?: number): T;
}

/** Mulberry32: the same numbers on every machine for the same seed. */
export function chance(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    pick(list, skew = 1) {
      const found = list[Math.floor(list.length * next() ** skew)];
      if (found === undefined) throw new Error('There is nothing to pick from.');
      return found;
    },
  };
}

/** `count` different made-up names under reserved endings. */
export function madeUpNames(count: number, { next, pick }: Chance): string[] {
  const names = new Set<string>();
  while (names.size < count) {
    const parts = [pick(words), pick(words)];
    if (next() < 0.35) parts.push(pick(words));
    if (next() < 0.25) parts.push(String(Math.floor(next() * 1000)));
    names.add(`${parts.join(next() < 0.3 ? '-' : '')}.${pick(reservedEndings, 1.5)}`);
  }
  return [...names];
}

/** A path that looks like an article's. */
export const madeUpPath = ({ pick, next }: Chance): string =>
  `/${pick(words)}/${pick(words)}-${pick(words)}-${Math.floor(next() * 10_000)}`;

/** Two or three words. */
export const madeUpAnchor = ({ pick }: Chance): string => `${pick(words)} ${pick(words)}`;
