import { isHarmlessValue } from '../../hostnames/links/list-lines.ts';
import {
  addFact,
  areListedNames,
  isAboutOtherSites,
  isHarmlessField,
  isVerdictField,
  type NameFacts,
  noFacts,
  rankNameField,
  toFieldName,
} from '../../hostnames/links/name-fields.ts';
import { type AddEntry, type Entry, isAddress, isName, readSimpleLine, toUnread } from './entry.ts';

/** Receives the parts of a JSON or YAML file in their order. */
export interface TreeReader {
  open(isArray: boolean): void;
  close(): void;
  /** A key of the object that is open. Its value follows. */
  key(text: string): void;
  /** @param text `true`, `false`, `1` or `0` for such a value, and undefined for another one that is not a text */
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
  /** Whether an object says that its names are not listed, by its number in the order of the file. */
  isException(object: number): boolean;
}

/** Places of a real list are few. */
const maxPlaces = 10_000;
/** Fields of an item with its name again, or that of another site. */
const maxOthers = 1000;
/** A longer text is a description. */
const maxNamesLength = 100_000;

interface Frame {
  isArray: boolean;
  /** Counts all objects and arrays of the file. */
  number: number;
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
  /** Whether its names are not listed. */
  isException: boolean;
  /** A key that is a name, until its value tells whether it is listed. */
  openKey: string | undefined;
}

const rulesAboutOthers: ReadonlySet<Entry> = new Set(['exception', 'option', 'regex']);

/** The names in a text: one, or several between spaces, commas or line ends. */
function readNames(text: string): readonly Entry[] {
  if (text.length > maxNamesLength) return ['invalid'];
  const entries = readSimpleLine(text);
  if (entries.some((entry) => entry !== 'invalid') || !/[\s,;]/.test(text.trim())) return entries;
  const parts = text.split(/[\s,;]+/).flatMap((part) => readSimpleLine(part));
  return parts.length > 0 && parts.every(isAddress) ? parts : entries;
}

const isBoolean = (text: string): boolean => /^(?:true|false|0|1)$/.test(text);
const isNameKey = (text: string): boolean => readSimpleLine(text).some(isName);
const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** A set of numbers that needs one bit for each of them up to the largest one. */
function createNumberSet(): { add(number: number): void; has(number: number): boolean } {
  let bits = new Uint8Array(1024);
  return {
    add(number) {
      const at = number >> 3;
      if (at >= bits.length) {
        const larger = new Uint8Array(2 * at);
        larger.set(bits);
        bits = larger;
      }
      bits[at] = (bits[at] ?? 0) | (1 << (number & 7));
    },
    has: (number) => ((bits[number >> 3] ?? 0) & (1 << (number & 7))) !== 0,
  };
}

/** Creates a reader that knows where in the tree each part is. */
function createWalker(on: {
  inArray(path: string, text: string | undefined, frame: Frame): void;
  inObject(frame: Frame, text: string | undefined): void;
  key(frame: Frame): void;
  open?(frame: Frame, parent: Frame | undefined): void;
  close(frame: Frame, parent: Frame | undefined): void;
}): TreeReader {
  const frames: Frame[] = [];
  let count = 0;
  return {
    open(isArray) {
      const parent = frames.at(-1);
      const frame: Frame = {
        isArray,
        number: count,
        path: '',
        place: '',
        isItem: false,
        field: '',
        found: undefined,
        others: [],
        isException: parent?.isException === true,
        openKey: undefined,
      };
      count += 1;
      frames.push(frame);
      if (parent) {
        const isData = !parent.isArray && (/^\d+$/.test(parent.field) || isNameKey(parent.field));
        frame.path = parent.isArray ? `${parent.path}[]` : join(parent.path, isData ? '*' : parent.field);
        frame.place = parent.isArray ? frame.path : join(parent.path, '*');
        frame.isItem = parent.isArray || isData;
      }
      on.open?.(frame, parent);
    },
    close() {
      const frame = frames.pop();
      if (frame && !frame.isArray) on.close(frame, frames.at(-1));
    },
    key(text) {
      const frame = frames.at(-1);
      if (!frame) return;
      frame.field = text;
      on.key(frame);
    },
    value(text) {
      const frame = frames.at(-1);
      if (frame?.isArray === true) on.inArray(`${frame.path}[]`, text, frame);
      else if (frame) on.inObject(frame, text);
    },
  };
}

/** Where a configuration of Clash has its rules. Its other names are those of servers. */
const clashRules = /^(?:\[\]|(?:payload|rules)\b)/;

/**
 * Creates a reader that finds out where the names are. `finish` returns undefined if there are none.
 * @param isClash whether only the rules of a configuration of Clash are read
 */
export function createTreePlanner(isClash: boolean): TreeReader & { finish(): TreePlan | undefined } {
  const arrays = new Map<string, NameFacts>();
  const items = new Map<string, { isItem: boolean; fields: Map<string, NameFacts> }>();
  const keys = new Map<string, NameFacts>();
  const exceptions = createNumberSet();
  let roots = 0;
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
    // A rule that lists nothing does not tell what the others are.
    if (entries.every((entry) => rulesAboutOthers.has(entry))) return;
    addFact(facts, entries.find(isName)?.name, entries.some(isAddress));
  }

  const walker = createWalker({
    inArray: (path, text) => count(get(arrays, path, noFacts), text ?? '7'),
    inObject(frame, text) {
      const { place, isItem, field } = frame;
      if (text === undefined) return;
      frame.isException ||= isHarmlessField(field, text);
      if (isBoolean(text)) return;
      const item = get(items, place, () => ({ isItem, fields: new Map<string, NameFacts>() }));
      if (item) count(get(item.fields, field, noFacts), text);
    },
    key: ({ path, field }) => count(get(keys, path, noFacts), field),
    close({ number, isException }, parent) {
      if (!parent) roots += 1;
      if (!isException) return;
      exceptions.add(number);
      // `"action": {"type": "allow"}` is about the object around it.
      if (parent?.isArray === false && isVerdictField(parent.field)) parent.isException = true;
    },
  });

  function plan(isOther: (place: string) => boolean): TreePlan | undefined {
    const chosen = new Map<string, { fields: Set<string>; all: boolean }>();
    for (const [place, { isItem, fields }] of items) {
      if (isOther(place)) continue;
      const minNames = isItem ? 1 : 2;
      const good = [...fields].filter(
        ([field, facts]) => facts.names >= minNames && !isOther(field) && isNameOfSite(field, facts),
      );
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
    // An only object is the whole list.
    const isException = (object: number) => (object > 0 || roots > 1) && exceptions.has(object);
    return { arrays: lists, items: chosen, keys: named, isException };
  }

  return {
    ...walker,
    open(isArray) {
      isArrayFile ||= isArray && arrays.size + items.size + keys.size === 0;
      walker.open(isArray);
    },
    finish() {
      // Names that a list excludes are its names only if it has no others.
      const isOutside = (place: string) => isClash && !clashRules.test(place);
      const found = plan((place) => isOutside(place) || isAboutOtherSites(place)) ?? plan(isOutside);
      if (!isArrayFile) return found;
      const none = { items: new Map(), keys: new Set<string>(), isException: () => false };
      return { ...(found ?? none), arrays: new Set([...(found?.arrays ?? []), '[]']) };
    },
  };
}

/** Whether a field names the site of its object. A `name` is often that of a group of sites. */
const isNameOfSite = (field: string, { names, values }: NameFacts): boolean =>
  toFieldName(field) !== 'name' || names * 2 > values;

const otherNamesOfSite = /^(?:alias|aliases|aliasdomains|aka|variants|subdomains)\d*$/;

/** Whether an array is in objects with a name of their own, and not named after sites: the tags of a site. */
function isFactOfItem(path: string, rank: number, items: TreePlan['items']): boolean {
  if (rank >= 0 || otherNamesOfSite.test(toFieldName(path.replace(/^.*\./, '')))) return false;
  return [...items.keys()].some((place) => place === '' || path.startsWith(`${place}.`));
}

/** Creates a reader that passes the entries at the places of a plan to `add`, and counts names at other places. */
export function createTreeNames({ arrays, items, keys, isException }: TreePlan, addAny: AddEntry): TreeReader {
  const addUnread = (place: string, text: string) => {
    for (const entry of readNames(text)) if (isName(entry)) addAny(toUnread(place));
  };
  const add = (entry: Entry, isListed: boolean) => addAny(isName(entry) && !isListed ? 'exception' : entry);
  const addOpenKey = (frame: Frame, isListed = true) => {
    for (const entry of readSimpleLine(frame.openKey ?? '')) add(entry, isListed && !frame.isException);
    frame.openKey = undefined;
  };
  return createWalker({
    open(frame, parent) {
      frame.isException ||= isException(frame.number);
      if (parent?.openKey !== undefined) addOpenKey(parent, !frame.isException);
    },
    inArray(path, text, frame) {
      if (arrays.has(path))
        for (const entry of text === undefined ? (['invalid'] as const) : readNames(text)) {
          add(entry, !frame.isException);
        }
      else if (text !== undefined) addUnread(path, text);
    },
    inObject(frame, text) {
      const { place, field } = frame;
      if (frame.openKey !== undefined) addOpenKey(frame, !text?.trim() || !isHarmlessValue(text));
      const item = items.get(place);
      if (text === undefined || text.trim() === '' || isBoolean(text)) return;
      if (item?.fields.has(field) !== true) {
        for (const entry of readNames(text)) {
          if (!isName(entry)) continue;
          // Only an item can repeat its own name.
          if (items.has(place) && frame.others.length < maxOthers) {
            frame.others.push({ place: join(place, field), name: entry.name });
          } else addAny(toUnread(join(place, field)));
        }
        return;
      }
      const entries = readNames(text);
      const [entry] = entries;
      if (item.all || entries.length > 1) {
        for (const one of entries) add(one, !frame.isException);
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
    key(frame) {
      if (frame.openKey !== undefined) addOpenKey(frame);
      if (keys.has(frame.path)) frame.openKey = frame.field;
    },
    close(frame) {
      const { place, isItem, found, others } = frame;
      if (frame.openKey !== undefined) addOpenKey(frame);
      if (found && found.rank >= 0) add(found.entry, !frame.isException);
      else if (!found && isItem && (items.has(place) || arrays.has(place))) addAny('invalid');
      const own = found && isName(found.entry) ? found.entry.name : undefined;
      for (const { place: other, name } of others) if (name !== own) addAny(toUnread(other));
    },
  });
}
