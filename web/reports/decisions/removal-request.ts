const dayMs = 86_400_000;

/** After this many days without an answer, the list suggests to disavow the domain. */
const patienceDays = 14;

/** Returns for how many days nobody answered, if that is long. `askedAt` is ISO 8601. */
export function findSilence(askedAt: string, now = Date.now()): number | undefined {
  const days = Math.floor((now - Date.parse(askedAt)) / dayMs);
  return days >= patienceDays ? days : undefined;
}

interface Request {
  /** The site whose owner is asked. */
  domain: string;
  /** The website that it links to. */
  own: string;
  /** The pages with the links, as far as they are known. */
  pages: readonly string[];
}

/** Returns the text that asks an owner to remove links. */
export function buildRequest({ domain, own, pages }: Request): string {
  const list = [...new Set(pages)];
  const opening =
    list.length === 0
      ? [`${domain} links to ${own}.`]
      : [
          `${list.length === 1 ? 'This page' : 'These pages'} of ${domain} link${list.length === 1 ? 's' : ''} to ${own}:`,
          '',
          ...list,
        ];
  const links = list.length === 1 ? 'the link, or mark it' : 'the links, or mark them';
  return [
    'Hello,',
    '',
    ...opening,
    '',
    `Please remove ${links} with rel="sponsored" or rel="nofollow".`,
    '',
    'Thank you',
    '',
  ].join('\n');
}
