import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

const header =
  'Referring page title,Referring page URL,Language,Platform,Referring page HTTP code,Domain rating,UR,Domain traffic,Referring domains,' +
  'Linked domains,External links,Page traffic,Keywords,Target URL,Left context,Anchor,Right context,Redirect Chain URLs,' +
  'Redirect Chain status codes,Type,Is spam,Content,Nofollow,UGC,Sponsored,Rendered,Raw,Lost status,Drop reason,Discovered status,' +
  'First seen,Last seen,Lost,Author,Page type,Page category,Links in group\n';
const words =
  'garden office travel health money coffee review guide best cheap summer winter music photo north river'.split(' ');
const tlds = 'com net org co.uk de info ru io fr com.br'.split(' ');

export interface BacklinkExport {
  rows: number;
  /** Number of distinct hosts, including listed ones. */
  hosts: number;
  /** Names of listed hosts. */
  listed: readonly string[];
  /** The website that the links point to. */
  site: string;
  seed?: number;
}

/**
 * Writes an export in Ahrefs' format (37 columns, UTF-8, comma; about 330 bytes per row). The same seed gives the same
 * file.
 */
export async function writeBacklinks(
  path: string,
  { rows, hosts, listed, site, seed = 1 }: BacklinkExport,
): Promise<void> {
  let state = seed * 2_654_435_761;
  const randomBelow = (limit: number) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
  const phrase = (length: number, between = ' ') => Array.from({ length }, () => words[randomBelow(16)]).join(between);
  const getHost = (number: number) => {
    const name = listed[number];
    if (name) return number % 4 === 0 ? `www.${name}` : number % 7 === 0 ? `blog.${name}` : name;
    const prefix = number % 7 === 0 ? 'blog.' : number % 3 === 0 ? 'www.' : '';
    return `${prefix}${words[number % 16]}-${words[(number >> 4) % 16]}${number}.${tlds[number % 10]}`;
  };
  const file = createWriteStream(path, { highWaterMark: 4 * 1024 * 1024 });
  let text = header;
  for (let row = 0; row < rows; row++) {
    const title = randomBelow(3) === 0 ? `"${phrase(3)}, ${phrase(2)}"` : phrase(3);
    const left = randomBelow(10) === 0 ? `"${phrase(4)} ""${phrase(1)}"" ${phrase(3)}"` : phrase(3);
    const month = 1 + randomBelow(9);
    text +=
      `${title},https://${getHost(randomBelow(hosts))}/${phrase(1)}/${phrase(3, '-')}-${row}/,en,wordpress,200,${randomBelow(100)},${randomBelow(50)}.0,` +
      `${randomBelow(10_000)},${randomBelow(1000)},${randomBelow(500)},${randomBelow(200)},${randomBelow(100)},${randomBelow(50)},https://www.${site}/${phrase(1)}/,` +
      `${left},${phrase(2)},${phrase(2)},,,text,false,true,${randomBelow(2) === 0},false,false,true,true,,,live,` +
      `2024-0${month}-1${randomBelow(9)} 10:11:12,2025-0${month}-1${randomBelow(9)} 10:11:12,,,Article,/News/${phrase(1)},1\n`;
    if (text.length < 1024 * 1024) continue;
    if (!file.write(text)) await once(file, 'drain');
    text = '';
  }
  file.end(text);
  await once(file, 'close');
}
