/** A generated row of the blacklist. Dates are ISO 8601. */
export interface GeneratedDomain {
  name: string;
  tld: string;
  source: string[];
  sourceDetails: string | undefined;
  description: string | undefined;
  niche: string | undefined;
  domainRating: number | undefined;
  outboundLinks: number | undefined;
  cost: string | undefined;
  addedAt: string;
  updatedAt: string;
}

const words = (
  'online best free web shop news blog digital media home tech health travel world life food style seo link links guide ' +
  'marketing business money games game casino bet poker crypto loan credit finance review reviews buy cheap deals store design ' +
  'studio art photo music video movie film sport sports fit fitness yoga diet weight skin beauty fashion hair baby kids mom family ' +
  'house garden kitchen cook recipe coffee tea wine beer pet dog cat car auto moto bike truck parts repair service pro expert ' +
  'group team club hub zone spot place point land city town local global inter net cloud data soft ware code dev app apps mobile ' +
  'phone smart green eco solar energy power light bright star sun moon sky blue red black white gold silver diamond royal king ' +
  'queen prime top first one max plus ultra super mega mini micro easy quick fast speed rapid express direct now today daily ' +
  'weekly time hour post press times journal magazine book books read write author story school learn academy college study ' +
  'course job jobs work career law legal lawyer attorney tax insurance invest trade market stock fund bank pay cash real estate ' +
  'property rent room hotel flight trip tour holiday beach island river lake mountain forest tree flower rose lady man men woman ' +
  'girl boy love dating match wedding party event gift toy play fun happy joy dream magic secret hidden true fresh pure clean ' +
  'safe secure guard shield medical clinic dental doctor care nurse pharma pill vital herb natural organic farm fish meat bread ' +
  'pizza burger bar cafe grill my the get go try we your our all any every new old big small little great good nice cool hot'
).split(' ');
const syllables =
  'ba be bi bo ca ce co da de di do fa fe fi go ha he ho ja jo ka ke ki la le li lo lu ma me mi mo na ne ni no pa po ra re ri ro sa se si so ta te ti to va ve vi wa we xa yo za ze zo an en in on ar er or al el il qu sh ch th st tr br cr'.split(
    ' ',
  );
const commonTlds =
  'com net org info co io biz online xyz site de ru uk fr it nl pl in us eu br es ca au me top shop club store pro tech space website live'.split(
    ' ',
  );
const niches =
  'Technology,Health,Travel,Finance,Business,Marketing,Lifestyle,Fashion,Food,Sports,Gaming,Education,News,Real Estate,Automotive,Home & Garden,Beauty,Entertainment,Music,Pets,Parenting,Law,Crypto,Casino,Photography'.split(
    ',',
  );
const knownSources =
  'fiverr,blackhatworld,manual,crawler,community,legiit,adsy,collaborator,whitepress,prposting,linksme,getlinks'.split(
    ',',
  );

/** The date of the newest rows. It is fixed, so that the rows are always the same. */
export const latestDate = Date.UTC(2026, 0, 1);

/**
 * Generates `count` domains with distinct names. The same seed gives the same domains. Word frequencies follow a
 * Zipf-like distribution, 45% of the names are .com, 99% of the domains have one source, and dates span the two years
 * before `until`.
 */
export function* generateDomains(count: number, seed = 1, until = latestDate): Generator<GeneratedDomain> {
  const random = createRandom(seed);
  const pick = (list: string[], skew: number) => list[Math.floor(list.length * random() ** skew)] ?? '';
  const rareWords = Array.from({ length: 30_000 }, () => {
    let word = '';
    for (let i = 2 + Math.floor(random() * 3); i > 0; i--) word += pick(syllables, 1);
    return word;
  });
  const tlds = [...commonTlds, ...Array.from({ length: 165 }, () => pick(syllables, 1) + pick(syllables, 1))];
  const sources = [...knownSources, ...Array.from({ length: 48 }, (_, i) => `${pick(words, 1)}-links-${i + 1}`)];
  const word = () => (random() < 0.6 ? pick(words, 2) : pick(rareWords, 2));
  const addName = createNameSet(count);
  const twoYears = 2 * 365 * 86_400_000;

  for (let i = 0; i < count; i++) {
    const tld = random() < 0.45 ? 'com' : pick(tlds, 3);
    let stem = word();
    const shape = random();
    if (shape < 0.55) stem += word();
    else if (shape < 0.7) stem += word() + word();
    else if (shape < 0.85) stem += `-${word()}`;
    else if (shape < 0.92) stem += String(Math.floor(random() * 1000));
    else if (shape < 0.95) stem = `${word()}.${stem}${word()}`;
    let name = `${stem}.${tld}`;
    while (!addName(name)) {
      stem += random() < 0.5 ? word() : pick(syllables, 1);
      name = `${stem}.${tld}`;
    }
    const sourceCount = random() < 0.99 ? 1 : 2 + Math.floor(random() ** 3 * 5);
    const from = new Set<string>();
    while (from.size < sourceCount) from.add(pick(sources, 2.5));
    // Rows are roughly ordered by date, as in a list that grows by imports.
    const addedAt = until - twoYears + Math.floor(((i + random() * count * 0.01) / (count * 1.01)) * twoYears);
    const amount = 5 + Math.floor(random() ** 3 * 600);
    yield {
      name,
      tld,
      source: [...from],
      sourceDetails: random() < 0.2 ? `Listing ${Math.floor(random() * 100_000)}` : undefined,
      description: random() < 0.1 ? `Guest posts about ${word()} and ${word()}` : undefined,
      niche: random() < 0.7 ? pick(niches, 1.5) : undefined,
      domainRating: random() < 0.6 ? Math.floor(random() ** 2 * 95) : undefined,
      outboundLinks: random() < 0.3 ? Math.floor(random() ** 4 * 50_000) : undefined,
      cost: random() < 0.5 ? (random() < 0.8 ? `$${amount}` : `$${amount}-$${amount + 50}`) : undefined,
      addedAt: new Date(addedAt).toISOString(),
      updatedAt: new Date(addedAt + Math.floor(random() ** 4 * (until - addedAt))).toISOString(),
    };
  }
}

/** Mulberry32: numbers from 0 (inclusive) to 1 (exclusive), the same on every machine for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Returns a function that adds a name to a set and returns false if it was in it. It compares 52-bit hashes; collisions
 * are harmless.
 */
function createNameSet(count: number): (name: string) => boolean {
  const slots = 2 ** Math.ceil(Math.log2(Math.max(count, 16) * 2));
  const table = new Float64Array(slots);
  return (name) => {
    let [low, high] = [0x811c9dc5, 0x9e3779b9];
    for (let i = 0; i < name.length; i++) {
      const code = name.charCodeAt(i);
      low = Math.imul(low ^ code, 0x01000193);
      high = Math.imul(high ^ code, 0x85ebca6b);
    }
    low ^= low >>> 15;
    const key = (high >>> 12) * 4_294_967_296 + (low >>> 0) + 1;
    let slot = (low >>> 0) % slots;
    while (table[slot] !== 0) {
      if (table[slot] === key) return false;
      slot = (slot + 1) % slots;
    }
    table[slot] = key;
    return true;
  };
}
