import {
  addFact,
  areListedNames,
  isAboutOtherSites,
  type NameFacts,
  noFacts,
  rankNameField,
} from '../../../hostnames/links/name-fields.ts';
import { type AddEntry, type Entry, isAddress, isName, readSimpleLine, toUnread } from './entry.ts';

/** Receives the parts of a JSON or YAML file in their order. */
export interface TreeReader {
  open(isArray: boolean): void;
  close(): void;
  /** A key of the object that is open. Its value follows. */
  key(text: string): void;
  /** @param text undefined for a value that is not a text */
  value(text?: string): void;
}

/**
 * Where the names of a list are. A place is a path such as `groups[].domains[]`, with `*` for keys that are names or
 * numbers.
 */
export interface TreePlan {
  /** Arrays of names. */
  arrays: ReadonlySet<string>;
  /** Objects with the fields that contain a name: the best of them in each object, or with `all` every one. */
  items: ReadonlyMap<string, { fields: ReadonlySet<string>; all: boolean }>;
  /** Objects whose keys are names. */
  keys: ReadonlySet<string>;
}

/** Places of a real list are few. */
const maxPlaces = 10_000;
/** Fields of an item with its name again, or that of another site. */
const maxOthers = 1000;
/** A longer text is a description. */
const maxNamesLength = 100_000;

interface Frame {
  isArray: boolean;
  path: string;
  /** The object as one of several: `sites.*` for those with different keys. */
  place: string;
  /** Whether it certainly is one of several: in an array, or under a key that is a name or a number. */
  isItem: boolean;
  /** The last key, if it is an object. */
  field: string;
  /** The best entry of an item so far, with the rank of its field, and other names that it contains. */
  found: { rank: number; entry: Entry } | undefined;
  others: { place: string; name: string }[];
}

/** The names in a text: one, or several between spaces, commas or line ends. */
function readNames(text: string): readonly Entry[] {
  if (text.length > maxNamesLength) return ['invalid'];
  const entries = readSimpleLine(text);
  if (entries.some((entry) => entry !== 'invalid') || !/[\s,;]/.test(text.trim())) return entries;
  const parts = text.split(/[\s,;]+/).flatMap((part) => readSimpleLine(part));
  return parts.length > 0 && parts.every(isAddress) ? parts : entries;
}

const isNameKey = (text: string): boolean => readSimpleLine(text).some(isName);
const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** Creates a reader that knows where in the tree each part is. */
function createWalker(on: {
  inArray(path: string, text: string | undefined): void;
  inObject(frame: Frame, text: string | undefined): void;
  key(frame: Frame): void;
  close?(frame: Frame): void;
}): TreeReader {
  const frames: Frame[] = [];
  return {
    open(isArray) {
      const parent = frames.at(-1);
      const frame = { isArray, path: '', place: '', isItem: false, field: '', found: undefined, others: [] };
      frames.push(frame);
      if (!parent) return;
      const isData = !parent.isArray && (/^\d+$/.test(parent.field) || isNameKey(parent.field));
      frame.path = parent.isArray ? `${parent.path}[]` : join(parent.path, isData ? '*' : parent.field);
      frame.place = parent.isArray ? frame.path : join(parent.path, '*');
      frame.isItem = parent.isArray || isData;
    },
    close() {
      const frame = frames.pop();
      if (frame && !frame.isArray) on.close?.(frame);
    },
    key(text) {
      const frame = frames.at(-1);
      if (!frame) return;
      frame.field = text;
      on.key(frame);
    },
    value(text) {
      const frame = frames.at(-1);
      if (frame?.isArray === true) on.inArray(`${frame.path}[]`, text);
      else if (frame) on.inObject(frame, text);
    },
  };
}

/** Creates a reader that finds out where the names are. `finish` returns undefined if there are none. */
export function createTreePlanner(): TreeReader & { finish(): TreePlan | undefined } {
  const arrays = new Map<string, NameFacts>();
  const items = new Map<string, { isItem: boolean; fields: Map<string, NameFacts> }>();
  const keys = new Map<string, NameFacts>();
  let places = 0;
  let isArrayFile = false;

  function get<Value>(map: Map<string, Value>, key: string, create: () => Value): Value | undefined {
    const known = map.get(key);
    if (known !== undefined || places === maxPlaces) return known;
    places += 1;
    const created = create();
    map.set(key, created);
    return created;
  }

  function count(facts: NameFacts | undefined, text: string) {
    if (!facts || text.trim() === '') return;
    const entries = readNames(text);
    addFact(facts, entries.find(isName)?.name, entries.some(isAddress));
  }

  const walker = createWalker({
    inArray: (path, text) => count(get(arrays, path, noFacts), text ?? '7'),
    inObject({ place, isItem, field }, text) {
      if (text === undefined) return;
      const item = get(items, place, () => ({ isItem, fields: new Map<string, NameFacts>() }));
      if (item) count(get(item.fields, field, noFacts), text);
    },
    key: ({ path, field }) => count(get(keys, path, noFacts), field),
  });

  function plan(isOther: (place: string) => boolean): TreePlan | undefined {
    const chosen = new Map<string, { fields: Set<string>; all: boolean }>();
    for (const [place, { isItem, fields }] of items) {
      if (isOther(place)) continue;
      const minNames = isItem ? 1 : 2;
      const good = [...fields].filter(([field, { names }]) => names >= minNames && !isOther(field));
      const ranked = good.filter(([field]) => rankNameField(field) >= 0);
      const found = ranked.length > 0 ? ranked : good.filter(([, facts]) => isItem && areListedNames(facts));
      if (found.length === 0) continue;
      chosen.set(place, { fields: new Set(found.map(([field]) => field)), all: ranked.length === 0 });
    }
    const lists = new Set<string>();
    for (const [path, { names, values }] of arrays) {
      if (names === 0 || isOther(path)) continue;
      const rank = rankNameField(path.replace(/^.*\./, ''));
      if (rank < 0 && names * 2 < values) continue;
      if (!isFactOfItem(path, rank, chosen)) lists.add(path);
    }
    const named = new Set<string>();
    for (const [path, { names, values }] of keys) {
      const below = join(path, '*');
      if (names === 0 || names * 2 < values || isOther(path)) continue;
      if (!chosen.has(below) && ![...lists].some((list) => list.startsWith(`${below}[]`))) named.add(path);
    }
    if (chosen.size + lists.size + named.size === 0) return undefined;
    return { arrays: lists, items: chosen, keys: named };
  }

  return {
    ...walker,
    open(isArray) {
      isArrayFile ||= isArray && arrays.size + items.size + keys.size === 0;
      walker.open(isArray);
    },
    finish() {
      // Names that a list excludes are its names only if it has no others.
      const found = plan(isAboutOtherSites) ?? plan(() => false);
      if (!isArrayFile) return found;
      const { arrays: lists = [], items: objects = new Map(), keys: names = new Set<string>() } = found ?? {};
      return { arrays: new Set([...lists, '[]']), items: objects, keys: names };
    },
  };
}

/** Whether an array is in objects that have a better name of their own, such as the tags of a site. */
function isFactOfItem(path: string, rank: number, items: TreePlan['items']): boolean {
  for (const [place, { fields }] of items) {
    if (place !== '' && !path.startsWith(`${place}.`)) continue;
    const best = Math.min(...[...fields].map(rankNameField).map((one) => (one < 0 ? Number.POSITIVE_INFINITY : one)));
    if (rank < 0 || rank >= best) return true;
  }
  return false;
}

/** Creates a reader that passes the entries at the places of a plan to `add`, and counts names at other places. */
export function createTreeNames({ arrays, items, keys }: TreePlan, add: AddEntry): TreeReader {
  const addUnread = (place: string, text: string) => {
    for (const entry of readNames(text)) if (isName(entry)) add(toUnread(place));
  };
  return createWalker({
    inArray(path, text) {
      if (arrays.has(path))
        for (const entry of text === undefined ? (['invalid'] as const) : readNames(text)) add(entry);
      else if (text !== undefined) addUnread(path, text);
    },
    inObject(frame, text) {
      const { place, field } = frame;
      const item = items.get(place);
      if (text === undefined || text.trim() === '') return;
      if (item?.fields.has(field) !== true) {
        for (const entry of readNames(text)) {
          if (!isName(entry)) continue;
          // Only an item can repeat its own name.
          if (items.has(place) && frame.others.length < maxOthers) {
            frame.others.push({ place: join(place, field), name: entry.name });
          } else add(toUnread(join(place, field)));
        }
        return;
      }
      const entries = readNames(text);
      const [entry] = entries;
      if (item.all || entries.length > 1) {
        for (const one of entries) add(one);
        frame.found ??= { rank: -1, entry: 'invalid' };
        return;
      }
      if (entry === undefined || frame.found?.rank === -1) return;
      const rank = rankNameField(field);
      const isBetter =
        frame.found === undefined ||
        (isName(entry) === isName(frame.found.entry) ? rank < frame.found.rank : isName(entry));
      if (isBetter) frame.found = { rank, entry };
    },
    key({ path, field }) {
      if (!keys.has(path)) return;
      for (const entry of readSimpleLine(field)) add(entry);
    },
    close({ place, isItem, found, others }) {
      if (found && found.rank >= 0) add(found.entry);
      else if (!found && isItem && (items.has(place) || arrays.has(place))) add('invalid');
      const own = found && isName(found.entry) ? found.entry.name : undefined;
      for (const { place: other, name } of others) if (name !== own) add(toUnread(other));
    },
  });
}
