import { isIP } from 'node:net';
import { normalizeHost } from '../hosts/hosts.ts';
import { toListedText } from './links.ts';
import { bullet, splitComment } from './list-marks.ts';
import { isAboutOtherSites } from './name-fields.ts';

/** Why a rule is not about one whole site. */
type RuleReason = 'ip' | 'regex' | 'wildcard' | 'exception' | 'cosmetic' | 'option';

/** What a line of a list contains: the text of a name or an address, which is not checked, or a rule about others. */
export type LineEntry = { text: string } | { reason: RuleReason };

/** What hosts files say about the machine itself. */
const machineName = /^(localhost\d?(\.localdomain\d?)?|local|broadcasthost|ip6-[a-z]+|0\.0\.0\.0)$/i;
const nullAddress =
  /^(0|0\.0\.0\.0|127(\.\d{1,3}){3}|255\.255\.255\.255|::|::1|::ffff:(0\.0\.0\.0|127\.0\.0\.1)|fe80::1%\w+)$/i;

/** Whether an address leads nowhere, as those in lists of blocked names do. `0` is short for `0.0.0.0`. */
export const isNullAddress = (text: string): boolean => nullAddress.test(text);

/**
 * Reads a line of any list of names: plain names, hosts files, disavow files, the rules of dnsmasq, Unbound, Clash and
 * V2Ray, response policy zones, and maps of nginx and Apache. They can be mixed, because none of their lines means
 * something else in another one. Of a link with a text, the text counts if it is an address.
 */
export function readListLine(line: string): readonly LineEntry[] {
  const { text } = splitComment(toListedText(line));
  if (text === '') return [];
  if (plainName.test(text) && !machineName.test(text)) return [{ text }];
  return readRule(text) ?? readServerMap(text) ?? readTextMap(text) ?? readRow(text) ?? [{ text: readPlain(text) }];
}

/** No rule looks like this. It is tested first, because most lines of most lists do. */
const plainName = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i;

/** Whether a line without its comment has the syntax of a rule, which no table has. */
export const isRuleLine = (text: string): boolean => (readRule(text) ?? readServerMap(text)) !== undefined;

/** Another character than a colon after `domain`, or several: `domain=x.com`, `domain x.com`, `domain–x.com` */
export const wrongColon = /^domain(?:\s*(?:[：﹕∶꞉ː︰=;,–—→]|:\s*[:=]+)\s*|\s+)(?=[^\s:])/i;

/** Removes what can be around a name: marks of a list, quotation marks, Markdown, attributes of V2Ray and wildcards. */
function readPlain(text: string): string {
  const plain = text
    .replace(bullet, '')
    .replace(/(?<![,;，；、])[,;，；、]+$/, '')
    .trimEnd();
  const quoted = /^(["'])(.*)\1$/.exec(plain)?.[2] ?? plain;
  const [, label = '', address] = /^\[([^\]]+)\]\((\S+)\)$/.exec(quoted) ?? [];
  if (address !== undefined) return normalizeHost(label) === undefined ? address : label;
  const [, name] = /^(\S+)(?:\s+@!?[\w-]+)+$/.exec(quoted) ?? [];
  return cutWildcard((name ?? quoted).replace(wrongColon, ''));
}

/**
 * Reads a line of a hosts file, or a rule whose syntax no other text has. Returns undefined for other lines.
 * @param text a line without its comment
 */
export function readRule(text: string): readonly LineEntry[] | undefined {
  return readAnyRule(text)?.map((entry) => ('text' in entry ? { text: cutWildcard(entry.text) } : entry));
}

/** A rule about parts of pages. */
const cosmeticRule = /^[^\s/#]+#@?[$%]?\??#\S/;

/** A rule about the subdomains of a name is about the name. */
const cutWildcard = (name: string): string => name.replace(/^(?:\*?\.)+(?=[^*.])/, '');

function readAnyRule(text: string): readonly LineEntry[] | undefined {
  if (cosmeticRule.test(text)) return [{ reason: 'cosmetic' }];
  const [, address = '', names = ''] = /^(\S+)\s+([^#]*)/.exec(text) ?? [];
  // A real address tells where a site is, not that it is blocked.
  if (isNullAddress(address)) {
    return names
      .split(/\s+/)
      .filter((name) => name !== '' && !machineName.test(name))
      .map((name) => ({ text: name }));
  }
  if (machineName.test(text) && text !== '0.0.0.0') return [];
  return readDnsmasq(text) ?? readUnbound(text) ?? readZoneRecord(text) ?? readProxyRule(text);
}

/** A slash or a question mark after a host. */
const afterHost = /(?<![:/])[/?]/;

/** Names between tabs, commas, semicolons or vertical bars, if there is nothing else. A path can contain some. */
function readRow(text: string): readonly LineEntry[] | undefined {
  const parts = text
    .split(/\t|[,;|](?=\s|$|\w{3,5}:\/\/)/)
    .flatMap((part) => (afterHost.test(part) ? part : part.split(/[,;|]/)))
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const isRow = parts.length > 1 && parts.every((part) => normalizeHost(part) !== undefined);
  return isRow ? parts.map((part) => ({ text: part })) : undefined;
}

/** Returns the entries of a line with the syntax of a format, and undefined for other lines. */
type RuleReader = (text: string) => readonly LineEntry[] | undefined;

/** `address=/x.com/0.0.0.0`, `server=/x.com/`, `local=/x.com/y.com/` */
const readDnsmasq: RuleReader = (text) => {
  const [, option = '', rest] = /^(address|server|local)=\/(.*)$/i.exec(text) ?? [];
  if (rest === undefined) return undefined;
  const parts = rest.split('/');
  const target = parts.pop() ?? '';
  const isBlocked = option.toLowerCase() === 'address' ? target === '#' || isNullAddress(target) : false;
  // `server=/x.com/#` asks the usual servers again, and a real address is a redirection.
  if (target !== '' && !isBlocked) return [{ reason: target === '#' ? 'exception' : 'option' }];
  return parts.map((name) => (/^[#*]?$/.test(name) ? { reason: 'wildcard' } : { text: name }));
};

/** `local-zone: "x.com" always_nxdomain`, `local-data: "x.com A 0.0.0.0"` */
const readUnbound: RuleReader = (text) => {
  if (/^(?:server|payload|rules|domains?):$/i.test(text)) return [];
  const [, kind = '', quoted, word, type = ''] =
    /^local-(zone|data|data-ptr|zone-tag):\s*(?:["']([^"']*)["']|(\S+))\s*(\S*)/i.exec(text) ?? [];
  const value = quoted ?? word;
  if (value === undefined) return undefined;
  if (kind.toLowerCase() === 'data') return readZoneRecord(value) ?? [{ reason: 'option' }];
  if (kind.toLowerCase() !== 'zone') return [{ reason: 'option' }];
  if (/transparent$/i.test(type)) return [{ reason: 'exception' }];
  return [/^nodefault$/i.test(type) ? { reason: 'option' } : { text: value }];
};

/** The data of records. Other texts after such a word are a note: `x.com a great site`. */
const recordData: Record<string, (data: string) => boolean> = {
  A: (data) => isIP(data) > 0 || isNullAddress(data),
  AAAA: (data) => isIP(data) > 0 || isNullAddress(data),
  NS: (data) => /^[\w-]+(?:\.[\w-]+)*\.?$/.test(data) && data.includes('.'),
  TXT: (data) => data.startsWith('"'),
  SOA: (data) => /^\S+\s+\S+\s+[(\d]/.test(data),
};
const recordLine = /^(\S+)\s+(?:\d+[smhdw]?\s+)?(?:IN\s+)?(?:\d+\s+)?(CNAME|DNAME|AAAA|A|TXT|NS|SOA)\s+(.+)$/i;
/** Names of response policy zones that trigger on addresses and servers instead of names. */
const addressTrigger = /\.rpz-(?:client-)?(?:ns)?ip(?:\.|$)/i;

/** `x.com CNAME .`, `*.x.com 3600 IN CNAME .`, `x.com A 0.0.0.0` */
const readZoneRecord: RuleReader = (text) => {
  if (/^\$(?:TTL|ORIGIN|INCLUDE|GENERATE)\s/i.test(text)) return [];
  const [, owner = '', kind = '', data = ''] = recordLine.exec(text) ?? [];
  const type = kind.toUpperCase();
  const target = data.trim().toLowerCase();
  if (recordData[type]?.(target) === false) return undefined;
  if (/^(?:@|IN|\d+)$/i.test(owner)) return [];
  if (!owner.includes('.')) return undefined;
  if (addressTrigger.test(owner)) return [{ reason: 'ip' }];
  if (/\.rpz-nsdname(?:\.|$)/i.test(owner)) return [{ reason: 'option' }];
  if (type === 'NS' || type === 'SOA') return [];
  if (type === 'A' || type === 'AAAA') return [isNullAddress(target) ? { text: owner } : { reason: 'option' }];
  if (target === 'rpz-passthru.' || target === `${owner.toLowerCase()}.`) return [{ reason: 'exception' }];
  return [/^(?:\*?\.|rpz-drop\.)$/.test(target) ? { text: owner } : { reason: 'option' }];
};

/** `DOMAIN-SUFFIX,x.com,REJECT`, `+.x.com`, `full:x.com` */
const readProxyRule: RuleReader = (text) => {
  const line = text.replace(bullet, '').replace(/^(["'])(.*)\1$/, '$2');
  if (line.startsWith('+.')) return [{ text: line.slice(1) }];
  const [, prefix = '', value = ''] = /^(full|keyword|regexp|include):\s*(\S+)/i.exec(line) ?? [];
  if (prefix !== '') {
    if (/^full$/i.test(prefix)) return [{ text: value }];
    return [{ reason: /^keyword$/i.test(prefix) ? 'wildcard' : /^regexp$/i.test(prefix) ? 'regex' : 'option' }];
  }
  if (/^(?:SRC-)?(?:IP-CIDR6?|IP-SUFFIX|IP-ASN|GEOIP)\s*,/i.test(line)) return [{ reason: 'ip' }];
  if (
    /^(?:PROCESS-NAME|PROCESS-PATH|USER-AGENT|RULE-SET|DST-PORT|SRC-PORT|GEOSITE|MATCH|FINAL|AND|OR|NOT|SUB-RULE)\s*,/.test(
      line,
    )
  ) {
    return [{ reason: 'option' }];
  }
  if (/^URL-REGEX\s*,/i.test(line)) return [{ reason: 'regex' }];
  const [, kind = '', name = '', policy = ''] =
    /^((?:DOMAIN|HOST)|(?:domain|host)(?=\s*,\s*[^,\s]+\s*,\s*(?:reject|direct|proxy))|(?:[Dd][Oo][Mm][Aa][Ii][Nn]|[Hh][Oo][Ss][Tt])-[A-Za-z]+)\s*,\s*([^,\s]+)\s*(?:,\s*([^,]+))?/.exec(
      line,
    ) ?? [];
  if (kind === '') return undefined;
  if (/-(?:KEYWORD|WILDCARD)$/i.test(kind)) return [{ reason: 'wildcard' }];
  if (/-REGEX$/i.test(kind)) return [{ reason: 'regex' }];
  if (/^direct\b/i.test(policy)) return [{ reason: 'exception' }];
  return [policy === '' || /^(?:reject|block|deny)/i.test(policy) ? { text: name } : { reason: 'option' }];
};

/** Whether the value of a name in a map means that the site is not blocked. */
export const isHarmlessValue = (value: string): boolean =>
  /^(?:0|off|no|false|ok|none|allow\w*|good|pass|white\w*|safe|trusted)?$/i.test(value);

/** `x.com 1;`, `"*.x.com" 1;` of nginx, and what is around them */
const readServerMap: RuleReader = (text) => {
  if (/^(?:(?:map|geo)\s[^;]*|[{}]|(?:hostnames|volatile);|default\s+\S+)$/i.test(text)) return [];
  if (/^(?:(?:RewriteCond|SetEnvIf(?:NoCase)?|BrowserMatch(?:NoCase)?)\s|if\s*\()/i.test(text))
    return [{ reason: 'regex' }];
  const [, quoted, word = '', given] = /^(?:"([^"]*)"|([^\s";{}]+))\s+("[^"]*"|'[^']*'|[^\s;]+)\s*;$/.exec(text) ?? [];
  const key = quoted ?? word;
  if (given === undefined) return undefined;
  if (key.startsWith('~')) return [{ reason: 'regex' }];
  if (/^include$/i.test(key)) return [{ reason: 'option' }];
  return [isHarmlessValue(given.replace(/^["']|["']$/g, '')) ? { reason: 'exception' } : { text: cutWildcard(key) }];
};

/** `x.com deny`, in a map for Apache */
const readTextMap: RuleReader = (text) => {
  const [, name = '', value = ''] = /^(\S+)\s+(-|[\w-]+)$/.exec(text) ?? [];
  if (name === '' || normalizeHost(name) === undefined) return undefined;
  return [isHarmlessValue(value) ? { reason: 'exception' } : { text: name }];
};

/** The sites that nginx does not block, up to a semicolon. */
const allowedReferers = /^valid_referers(?:\s|;|$)/i;
/** What is above the sites that a list is not about: `allow:` or `allow: |` of YAML, `[allow]`, `map $host $allow {` */
const sectionKey =
  /^(?:([\p{L}_-]+):(?:\s*[|>][-+\d]*)?|\[([\p{L} _-]+)\]|(?:map|geo)\s[^;]*\$(\w+)\s*\{|((?:allow|white)(?:ed|list|listed)?))$/iu;

/** A record of a zone about itself has seven values, often one per line. After that, the list goes on. */
const maxRecordLines = 10;

/**
 * Creates a function that reads the lines of a list in their order, as `readListLine` does. It also skips the records
 * of a zone about itself, which can have several lines, removes the zone from names, and knows the names that follow
 * `allow:` or `valid_referers` as exceptions.
 */
export function createListReader(): (line: string) => readonly LineEntry[] {
  /** The lines that the record which is open can still have. */
  let recordLines = 0;
  let origin = '';
  let isAboutOthers = false;
  let insideReferers = false;
  return (line) => {
    const { text } = splitComment(line);
    insideReferers ||= allowedReferers.test(text);
    if (insideReferers) {
      insideReferers = !line.includes(';');
      return [{ reason: 'exception' }];
    }
    const [isSection, ...keys] = sectionKey.exec(text) ?? [];
    const key = isSection && keys.find((one) => one !== undefined);
    if (key !== undefined) isAboutOthers = isAboutOtherSites(key);
    if (isAboutOthers) return key !== undefined || text === '' ? [] : [{ reason: 'exception' }];
    const opening = text.indexOf('(');
    const isStart = opening >= 0 && /\sSOA\s/i.test(` ${text.slice(0, opening)}`);
    if (isStart) recordLines = maxRecordLines;
    if (recordLines > 0) {
      recordLines = text.includes(')') ? 0 : recordLines - 1;
      return [];
    }
    origin = /^\$ORIGIN\s+(\S+?)\.?$/i.exec(text)?.[1]?.toLowerCase() ?? origin;
    const entries = readListLine(line);
    if (origin === '') return entries;
    return entries.map((entry) => {
      if (!('text' in entry)) return entry;
      const name = entry.text.toLowerCase().replace(/\.$/, '');
      return name.endsWith(`.${origin}`) ? { text: name.slice(0, -origin.length - 1) } : entry;
    });
  };
}
