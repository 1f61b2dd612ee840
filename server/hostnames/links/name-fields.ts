/** Names of columns and fields that contain a domain, the most specific first. */
const nameFields = [
  ...['domain', 'rootdomain', 'domainname', 'registrabledomain', 'fqdn', 'hostname', 'host', 'origin'],
  ...['website', 'site', 'websiteurl', 'siteurl', 'url', 'address', 'name'],
];

/** The same in other languages, as `toFieldName` returns them. Words for a page are last. */
export const foreignNameFields: readonly string[] = [
  ...['domaine', 'domaines', 'dominio', 'dominios', 'domini', 'domínio', 'domínios', 'domäne', 'domänen', 'domeinen'],
  ...['domein', 'domena', 'domeny', 'doména', 'domény', 'domän', 'domæne', 'домен', 'домены', 'сайт', 'сайты'],
  ...['siteweb', 'sitesweb', 'webseite', 'webseiten', 'sitio', 'sitios', 'sitioweb', 'sitiosweb'],
  ...['sito', 'siti', 'sitoweb', 'sitiweb', 'strona', 'strony', 'stronawww', 'alanadı', 'alanadi', '域名', '网站'],
  ...['ドメイン', 'サイト', '도메인', '사이트', 'seite', 'seiten'],
];

/** Returns the letters and digits of a name in lower case, as names of columns and fields are compared. */
export const toFieldName = (field: string): string => field.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Returns how specifically a column or field is named after domains, 0 for the best, and -1 if it is not. */
export function rankNameField(field: string): number {
  const name = toFieldName(field);
  const rank = nameFields.indexOf(name);
  if (rank >= 0) return rank;
  // Domains, domain1, Domain 2
  const base = name.replace(/\d{1,3}$/, '');
  const singular = nameFields.indexOf(base.replace(/s$/, ''));
  if (singular >= 0) return singular;
  const foreign = foreignNameFields.indexOf(base);
  return foreign < 0 ? -1 : nameFields.length + foreign;
}

/** Words of such names, some without their ends, and what can follow them in one word: `allowlist`, `sourceurls`. */
const otherSites =
  'allow|white|except|safe|ignor|unblock|exclud|exclus|exempt|unlist|delist|remov|delet|referenc|(?:data)?sourc|found|evidence|proof|target|linked|mirror|homepage|maintain|contribut|author|sponsor|licen[cs]|registrar|name ?server|whois|competitor|similar|redirect|trusted';
const wordEnds = '(?:e|ed|er|ers|or|ors|ing|ion|ions|s|es|d|rs)?';
const compounds = '(?:lists?|listed|urls?|links?|domains?|sites?|names?|hosts?|pages?|on|at|by|in)?';

/** The same in other languages: allowed and excepted sites, sources, targets, redirections and competitors. */
const foreignWords = [
  // German
  'ausnahmen?|ausgenommene?|ausgeschlossene?|erlaubte?|zugelassene?|freigegebene?|wei(?:ß|ss)e?liste|whiteliste|quellen?',
  'fundstellen?|ziel(?:e|seiten?|domains?|urls?|adressen?)?|verlinkte?|weiterleitung(?:en)?|weitergeleitete?',
  'konkurrent(?:en)?|(?:mit|wett)bewerber',
  // French
  'blanche|autorisée?s?|exclue?s?|permise?s?|ignorée?s?|cibles?|vers|redirigée?s?|concurrente?s?',
  // Spanish and Portuguese
  'blanca|branca|permitid[oa]s?|exclu[ií]d[oa]s?|excepci[oó]n(?:es)?|exce(?:ção|ções|cao|coes)|fuentes?|fontes?|origem',
  'destin[oa]s?|redirigid[oa]s?|redirecci[oó]n(?:es)?|redirecionad[oa]s?|competidor(?:es)?|concorrentes?',
  // Italian
  'bianca|consentit[aeio]|permess[aeio]|esclus[aeio]|eccezion[ei]|fonti|destinazion[ei]|reindirizza\\p{L}*|concorrenti',
  // Dutch
  'witte|toegestane?|toegestaan|uitzondering(?:en)?|bron(?:nen)?|doel|concurrenten',
  // Polish and Czech
  'biał[ay]|dozwolon[aey]|wyjąt(?:ek|ki)|źródł[ao]|cel|konkurenc\\p{L}*|przekierowan\\p{L}*|povolen[éo]|výjimk[ay]|zdroj|cíl',
  // Russian and Turkish
  'бел(?:ый|ые)|разреш[её]н\\p{L}*|исключени\\p{L}*|источник\\p{L}*|акцептор\\p{L}*|цел[ьи]|конкурент\\p{L}*',
  'редирект\\p{L}*|перенаправлен\\p{L}*|beyaz|izin|istisna|kaynak|hedef',
];
const aboutOtherSites = new RegExp(
  `(?<!\\p{L})(?<!(?<!\\p{L})(?:not|non|un|dis)\\P{L})(?:(?:${otherSites})${wordEnds}${compounds}|good|keep|meta|info|from|to|ns|mx|ok|own|client|${foreignWords.join('|')})(?!\\p{L})|(?<![^.])clean(?=[.[]|$)|(?<!\\p{L})not\\P{L}?(?:block|list|deni|bann)ed(?!\\p{L})|false\\P{L}?positives?`,
  'u',
);

/**
 * Whether a column or field names sites that its list is not about: those where it was found, those that it protects,
 * and facts about the listed ones. `unsafe` and `not trusted` are about the listed ones.
 */
export const isAboutOtherSites = (field: string): boolean =>
  aboutOtherSites.test(field.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase());

const actionField = /^(?:action|policy|decision|rule|review|result)$/;
const stateField = /^(?:type|kind|mode|status|state|verdict|disposition|classification|list|listtype)$/;
/** The name of a group of sites tells what the list does with them only if it is nothing else. */
const groupField = /^(?:name|title|label|group|category|section)$/;
const harmlessGroup =
  /^(?:(?:allow|white|safe|exempt)(?:ed)?[\s_-]?(?:list(?:ed)?|domains|sites|hosts)?|exceptions?|exclusions?|trusted(?: (?:domains|sites))?)$/i;
const allowingWord = /^(?:allow|white|permit|trust|safe|unblock|except|exempt|ignor|exclud|unlist|delist|remov|keep)/i;
/** Whether a path such as `lists.allow[]` ends in a word for sites that a list allows. */
export const isAllowingPlace = (place: string): boolean => allowingWord.test(place.replace(/^.*[.:]/, ''));

/** Other words can follow these, as in `allowed by an admin`. */
const harmlessActions = [
  'allow(?:ed)?|(?:allow|white|safe)[\\s_-]?list(?:ed)?|permit(?:ted)?|unblock(?:ed)?|except(?:ed|ions?)?|exempt(?:ed)?',
  'ignored?|exclud(?:e|ed)|exclusions?|unlist(?:ed)?|delist(?:ed)?|removed?|keep|kept',
  'erlaubt|zugelassen|freigegeben|behalten|autorisée?|permitid[oa]|permess[oa]|consentit[oa]|dozwolon[ay]|toegestaan',
  'разреш[её]н[ао]?',
].join('|');
/** Before other words, these mean something else. */
const harmlessWords = 'white|trust(?:ed)?|safe|clean|benign|legit(?:imate)?|harmless';
const harmlessVerdict = new RegExp(`^(?:(?:${harmlessActions})(?!\\p{L})|(?:${harmlessWords})(?![\\s-]?\\p{L}))`, 'iu');

const harmlessValue = new RegExp(
  `${harmlessVerdict.source}|${harmlessGroup.source}|^(?:direct|false|no|off|0|true|yes|on|1|\\d{4}-\\d{2}-\\d{2}.*)$`,
  'iu',
);
const listingField =
  /^(?:is)?(?:block|blocked|blacklisted|blocklisted|deny|denied|banned|listed|disavow|disavowed|toxic|harmful|malicious|sellslinks|enabled)$/;
const exceptionField =
  /^(?:is)?(?:allow(?:ed|list|listed)?|whitelist(?:ed)?|exceptions?|trusted|safe|ignored|excluded|exempt|delisted|removed)$/;

/** Whether a column or field tells what a list does with the names of the same row or object. */
export function isVerdictField(field: string): boolean {
  const name = toFieldName(field);
  return [actionField, stateField, listingField, exceptionField].some((pattern) => pattern.test(name));
}

/** Whether a field says that the names of its row or object are not listed: `status: allowed`, `blocked: false`. */
export function isHarmlessField(field: string, text: string): boolean {
  const value = text.trim();
  // Most values are something else, and most keys of a list are domains.
  if (!harmlessValue.test(value) || field.includes('.')) return false;
  const name = toFieldName(field);
  if (groupField.test(name)) return harmlessGroup.test(value);
  if (stateField.test(name)) return harmlessVerdict.test(value);
  if (actionField.test(name)) return harmlessVerdict.test(value) || /^direct$/i.test(value);
  if (listingField.test(name)) return /^(?:false|no|off|0)$/i.test(value);
  return exceptionField.test(name) && /^(?:true|yes|on|1|\d{4}-.*)$/i.test(value);
}

/** What lists say in a column without a name. */
const verdictWord =
  /^(?:black|block|deny|denied|reject|ban|disavow|toxic|spam|allow|white|permit|trust|safe|unblock)\w*$/i;

/** Whether the values of a column without a name tell what a list does with the names of the same row. */
export const areVerdicts = (values: readonly string[]): boolean =>
  values.some((value) => value !== '') && values.every((value) => value === '' || verdictWord.test(value));

/** How many different names are remembered to see that a column or field repeats the same few. */
const maxKnownNames = 1000;

/** What a column or the values of a field contain. */
export interface NameFacts {
  /** Values that are not blank, those that are names, and those that are an address of any kind. */
  values: number;
  names: number;
  addresses: number;
  known: Set<string>;
}

export const noFacts = (): NameFacts => ({ values: 0, names: 0, addresses: 0, known: new Set() });

/** @param name undefined if the value is not a name */
export function addFact(facts: NameFacts, name: string | undefined, isAddress: boolean): void {
  facts.values += 1;
  if (name !== undefined) facts.names += 1;
  if (isAddress) facts.addresses += 1;
  if (name !== undefined && facts.known.size < maxKnownNames) facts.known.add(name);
}

/** Whether values are mostly names, and not the same few again and again, as those of a tool or a marketplace. */
export const areListedNames = ({ values, names, known }: NameFacts): boolean =>
  names > 0 && names * 2 >= values && (known.size * 2 > names || known.size === maxKnownNames);
