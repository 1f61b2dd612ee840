type WriteList = (blocked: readonly string[], allowed: readonly string[]) => string;

const lines = (...parts: (string | readonly string[])[]) => `${parts.flat().join('\n')}\n`;
const items = (names: readonly string[], indent = '  ') => names.map((name) => `${indent}- ${name}`);
const writeTable =
  (column: string, bad: string, good: string): WriteList =>
  (blocked, allowed) =>
    lines(
      `domain;${column}`,
      blocked.map((name) => `${name};${bad}`),
      allowed.map((name) => `${name};${good}`),
    );
const writeGroups =
  (field: string, bad: string, good: string): WriteList =>
  (blocked, allowed) =>
    lines(
      'lists:',
      `- ${field}: ${bad}`,
      '  sites:',
      items(blocked),
      `- ${field}: ${good}`,
      '  sites:',
      items(allowed),
    );

/** Lists that say which of their sites they allow, as lines, tables and YAML. */
export const allowingLists: Record<string, WriteList> = {
  'sections of a configuration': (blocked, allowed) => lines('[blacklist]', blocked, '[whitelist]', allowed),
  'words above names': (blocked, allowed) => lines('Blocked', blocked, 'Allowed', allowed),
  'keys above names': (blocked, allowed) => lines('Blacklist:', blocked, 'Whitelist:', allowed),
  'texts of YAML': (blocked, allowed) => lines('block: |', blocked, 'allow: >-', allowed),
  'maps of nginx': (blocked, allowed) =>
    lines(
      ['map $http_referer $whitelist {', ...allowed.map((name) => `  ${name} 1;`), '}'],
      ['map $http_referer $bad {', ...blocked.map((name) => `  ${name} 1;`), '}'],
    ),
  'referers of nginx': (blocked, allowed) =>
    lines('valid_referers none', allowed, ';', 'map $http_referer $bad {', ...blocked.map((name) => `${name} 1;`), '}'),
  'a table of decisions': writeTable('decision', 'disavow', 'keep'),
  'a table of actions': writeTable('Action', 'Block', 'Allowed by an admin'),
  'a table with a status in German': writeTable('Status', 'gesperrt', 'erlaubt'),
  'a table of verdicts': writeTable('verdict', 'malicious', 'clean'),
  'a table of yes and no': writeTable('Sells links', 'yes', 'no'),
  'a table of days': writeTable('removed', '', '2024-03-05'),
  'groups of a kind': writeGroups('kind', 'deny', 'allow'),
  'groups with a mode': writeGroups('mode', 'block', 'permit'),
  'groups with a name': writeGroups('name', 'Blocklist', 'Allowlist'),
  'groups with a flag': writeGroups('whitelist', 'false', 'true'),
  'groups with a number': writeGroups('allowlist', '0', '1'),
  'places named after mistakes': (blocked, allowed) =>
    lines('domains:', items(blocked), 'false_positives:', items(allowed), 'not_blocked:', items(allowed)),
};
