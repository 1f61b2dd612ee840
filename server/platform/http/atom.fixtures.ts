import sax from 'sax';

/** Reads an Atom feed strictly. Texts of the feed are keyed by their path. */
export function parseAtom(text: string) {
  const parser = sax.parser(true, { xmlns: true });
  const feed: Record<string, string> = {};
  const entries: Record<string, string>[] = [];
  const links: Record<string, string>[] = [];
  const path: string[] = [];
  parser.onerror = (error) => {
    throw error;
  };
  parser.onopentag = (tag) => {
    if (!('uri' in tag) || tag.uri !== 'http://www.w3.org/2005/Atom') throw new Error(`${tag.name} is not Atom.`);
    path.push(tag.name);
    if (path.join('/') === 'feed/entry') entries.push({});
    const attributes = Object.entries(tag.attributes).map(([name, { value }]) => [name, value]);
    if (path.join('/') === 'feed/link') links.push(Object.fromEntries(attributes));
  };
  parser.ontext = (content) => {
    if (content.trim() === '') return;
    const [, first, ...rest] = path;
    const entry = first === 'entry' ? entries.at(-1) : undefined;
    (entry ?? feed)[(entry ? rest : [first, ...rest]).join('/')] = content;
  };
  parser.onclosetag = () => path.pop();
  parser.write(text).close();
  return { feed, entries, links };
}
