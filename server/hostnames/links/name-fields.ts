/** Names of columns and fields that contain a domain, the most specific first. */
const nameFields = [
  ...['domain', 'rootdomain', 'domainname', 'registrabledomain', 'fqdn', 'hostname', 'host', 'origin'],
  ...['website', 'site', 'websiteurl', 'siteurl', 'url', 'address', 'name'],
];

/** Returns how specifically a column or field is named after domains, 0 for the best, and -1 if it is not. */
export function rankNameField(field: string): number {
  const name = field.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  const rank = nameFields.indexOf(name);
  if (rank >= 0) return rank;
  // Domains, domain1, Domain 2
  return nameFields.indexOf(name.replace(/\d{1,3}$/, '').replace(/s$/, ''));
}

/** Words of such names, some without their ends, and what can follow them in one word: `allowlist`, `sourceurls`. */
const otherSites =
  'allow|white|except|safe|ignor|unblock|referenc|(?:data)?sourc|found|evidence|proof|target|linked|mirror|homepage|maintain|contribut|author|sponsor|licen[cs]|registrar|name ?server|whois|competitor|similar|redirect|trusted';
const wordEnds = '(?:e|ed|er|ers|or|ors|ing|ion|ions|s|es|d|rs)?';
const compounds = '(?:lists?|listed|urls?|links?|domains?|sites?|names?|hosts?|pages?|on|at|by|in)?';
const aboutOtherSites = new RegExp(
  `(?<![a-z])(?<!(?<![a-z])(?:not|non|un|dis)[^a-z])(?:(?:${otherSites})${wordEnds}${compounds}|good|meta|info|from|to|ns|mx|ok|own|client)(?![a-z])`,
);

/**
 * Whether a column or field names sites that its list is not about: those where it was found, those that it protects,
 * and facts about the listed ones. `unsafe` and `not trusted` are about the listed ones.
 */
export const isAboutOtherSites = (field: string): boolean =>
  aboutOtherSites.test(field.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase());

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
