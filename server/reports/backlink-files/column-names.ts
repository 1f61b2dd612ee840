/*
 * Names of columns in exports, in the form of `normalizeHeader`. The English names come from real exports and public
 * parsers of them; the translations are those of Search Console's "Linking page" and "Target page" and of common tools.
 */

/** Columns that contain the linking page, best first. */
const englishSourcePages = [
  'referring page url',
  'source url',
  'sourceurl',
  'linking page',
  'linking page url',
  'linking url',
  'linking page link',
  'referring url',
  'referring page',
  'source page url',
  'source page',
  'source link',
  'backlink url',
  'url from',
  'from url',
  'link from',
  'link source',
  'referrer url',
  'referer url',
  'referrer',
  'referer',
  'donor url',
  'donor page',
  'donor link',
  'donor',
  'source',
  'from',
];
const otherSourcePages = [
  // German, French, Spanish, Italian, Portuguese, Dutch
  'verlinkende seite',
  'verweisende seite',
  'verweisende url',
  'verlinkende url',
  'quell-url',
  'quellseite',
  'linkquelle',
  'linkgebende seite',
  'quelle',
  'page de lien',
  "page d'origine du lien",
  'page contenant le lien',
  'page référente',
  'page source',
  'page de référence',
  'lien source',
  'source du lien',
  'url source',
  'url de la source',
  'url référente',
  'url de référence',
  'página de enlace',
  'página que enlaza',
  'página de origen',
  'página de referencia',
  'página fuente',
  'enlace de origen',
  'url de origen',
  'url origen',
  'url de referencia',
  'url fuente',
  'url de la fuente',
  'origen',
  'fuente',
  'pagina di collegamento',
  'pagina contenente il link',
  'pagina di riferimento',
  'pagina di origine',
  'url di origine',
  'página de vinculação',
  'página com link',
  'página de origem',
  'página de referência',
  'url de origem',
  'url de referência',
  'fonte',
  'linkende pagina',
  'verwijzende pagina',
  'bron-url',
  // Russian, Ukrainian, Polish, Czech, Hungarian, Romanian, Turkish
  'ссылающаяся страница',
  'ссылающийся url',
  'страница-источник',
  'страница источник',
  'url источника',
  'источник',
  'донор',
  'url донора',
  'страница донора',
  'страница-донор',
  'сторінка з посиланням',
  'сторінка, що посилається',
  'сторінка-джерело',
  'strona linkująca',
  'strona z linkiem',
  'url źródłowy',
  'odkazující stránka',
  'zdrojová url',
  'hivatkozó oldal',
  'pagină de legătură',
  'pagina care trimite linkul',
  'bağlantı veren sayfa',
  'bağlantı sayfası',
  'kaynak url',
  // Swedish, Danish, Norwegian, Finnish, Indonesian, Vietnamese
  'länkande sida',
  'linkende side',
  'side som lenker',
  'linkittävä sivu',
  'halaman yang menautkan',
  'halaman penautan',
  'trang liên kết',
  // Japanese, Chinese, Korean, Arabic, Hebrew
  'リンク元ページ',
  'リンク元',
  'リンク元url',
  '链接页面',
  '链接网页',
  '来源网址',
  '引荐页面',
  '連結網頁',
  '連結頁面',
  '연결 페이지',
  '링크 페이지',
  'الصفحة المرتبطة',
  'דף מקשר',
];

/** Columns that contain the linking domain, best first. */
const englishSourceDomains = [
  'referring domain',
  'source domain',
  'linking domain',
  'linking site',
  'referring site',
  'referring website',
  'donor domain',
];
const otherSourceDomains = [
  'ссылающийся домен',
  'домен-донор',
  'quelldomain',
  'quell-domain',
  'verweisende domain',
  'verweisende website',
  'domaine référent',
  'site référent',
  'site source',
  'domaine source',
  'dominio de referencia',
  'dominio de origen',
  'sitio de referencia',
  'dominio di riferimento',
  'domínio de referência',
];

/*
 * Columns that contain the linking page, or its domain, in some exports and the target in others, most likely source
 * first.
 */
const ambiguousPages = ['backlink', 'link', 'url', 'page url', 'page', 'address', 'lien', 'enlace'];
const ambiguousDomains = [
  'site',
  'domain',
  'root domain',
  'host',
  'website',
  'domaine',
  'dominio',
  'domínio',
  'site web',
  'sitio',
  'sitio web',
  'sito',
  'sito web',
  'webseite',
  'домен',
  'сайт',
  'domena',
  'doména',
];
const ambiguous = [...ambiguousPages, ...ambiguousDomains];

const englishTargets = [
  'target url',
  'targeturl',
  'target link',
  'target page',
  'target page url',
  'target',
  'target domain',
  'target site',
  'target website',
  'link url',
  'link to',
  'links to',
  'link target',
  'link destination',
  'linked page',
  'linked url',
  'url to',
  'to url',
  'to',
  'destination',
  'destination url',
  'destination page',
  'landing page',
  'broken link',
  'broken link url',
  'broken url',
  'broken page',
  'dead link',
  'top pages',
  'top linked pages',
  'acceptor',
  'acceptor url',
];
const otherTargets = [
  'zielseite',
  'ziel-url',
  'zielurl',
  'ziel-link',
  'zieldomain',
  'ziel-domain',
  'linkziel',
  'link-ziel',
  'verlinkte seite',
  'verlinkte url',
  'ziel',
  'cible',
  'cible du lien',
  'lien cible',
  'page liée',
  'url de destination',
  'page cible',
  'page ciblée',
  'url visée',
  'domaine cible',
  'page de destination',
  'url cible',
  'url del enlace',
  'url de destino',
  'url destino',
  'url objetivo',
  'página de destino',
  'página destino',
  'página objetivo',
  'página enlazada',
  'enlace de destino',
  'enlace destino',
  'dominio de destino',
  'destino',
  'destinazione',
  'pagina di destinazione',
  'url di destinazione',
  'doelpagina',
  'doel-url',
  'целевая страница',
  'целевой url',
  'url цели',
  'акцептор',
  'url акцептора',
  'цільова сторінка',
  'strona docelowa',
  'url docelowy',
  'cílová stránka',
  'odkazovaná stránka',
  'céloldal',
  'hedef sayfa',
  'hedef url',
  'målsida',
  'リンク先ページ',
  'リンク先',
  '目标网页',
  '目标网址',
  '目標網頁',
  '대상 페이지',
];

const sourceDomains = [...englishSourceDomains, ...otherSourceDomains];
const sources = normalizeHeaders([...englishSourcePages, ...otherSourcePages, ...sourceDomains]);
const rankBySource = new Map([...sources, ...normalizeHeaders(ambiguous)].map((name, rank) => [name, rank]));
const targetNames: ReadonlySet<string> = new Set(normalizeHeaders([...englishTargets, ...otherTargets]));
const domainNames: ReadonlySet<string> = new Set(normalizeHeaders([...sourceDomains, ...ambiguousDomains]));
/** Source columns that can also say where the row came from, such as the tool or the marketplace. */
const provenanceNames: ReadonlySet<string> = new Set([
  'source',
  'from',
  'link source',
  'referrer',
  'referer',
  'quelle',
  'fuente',
  'origen',
  'fonte',
  'источник',
]);

const englishAnchors = [
  ...['anchor', 'anchor text', 'anchortext', 'link anchor', 'link text', 'anchors'],
  ...['backlink anchor', 'backlink anchor text'],
];
const otherAnchors = [
  'ankertext',
  'anker-text',
  'anker',
  'linktext',
  'texte du lien',
  'texte de lien',
  "texte d'ancrage",
  "texte d'ancre",
  'ancre',
  'ancre du lien',
  'ancrage',
  'texte ancre',
  'texto del enlace',
  'texto de enlace',
  'texto de anclaje',
  'texto ancla',
  'texto del ancla',
  'anclaje',
  'ancla',
  'testo del link',
  'testo di ancoraggio',
  'ankertekst',
  'linktekst',
  'tekst kotwicy',
  'text odkazu',
  'texto âncora',
  'texto do link',
  'анкор',
  'текст ссылки',
  'текст анкора',
  'anchor metni',
  'bağlantı metni',
  'アンカーテキスト',
  'リンクテキスト',
  '锚文本',
];
/** Columns that contain the anchor text of a link, best first. */
export const anchorNames: readonly string[] = normalizeHeaders([...englishAnchors, ...otherAnchors]);

/**
 * Columns of texts on the linking page: anchors and what is next to them. They can contain names of sites, but never
 * the linking page.
 */
export const anchorColumns: ReadonlySet<string> = new Set([
  ...anchorNames,
  'top linking text',
  'textpre',
  'textpost',
  'left context',
  'right context',
]);

/** Columns of search terms. */
export const queryColumns: ReadonlySet<string> = new Set([
  'query',
  'queries',
  'top queries',
  'keyword',
  'search query',
  'search term',
  'suchanfrage',
  'häufigste suchanfragen',
  'requêtes les plus fréquentes',
  'consultas principales',
  'query più frequenti',
  'principais consultas',
  'najczęstsze zapytania',
  'en çok yapılan sorgular',
  'запрос',
  'популярные запросы',
  'ключевое слово',
  '上位のクエリ',
  '热门查询',
]);

/** Columns of IP addresses and networks. */
export const ipColumns: ReadonlySet<string> = new Set(
  normalizeHeaders([
    'ip',
    'ips',
    'ip address',
    'referring ip',
    'referring ips',
    'subnet',
    'subnets',
    'referring subnet',
    'referring subnets',
    'c-class',
    'ip c-class',
  ]),
);

/** What a column is to the reader. An ambiguous one contains the linking page in some exports, the target in others. */
export type ColumnRole = 'source' | 'ambiguous' | 'target' | 'text' | 'unknown';

/** Returns the role of a column by its normalized name. */
export function getColumnRole(name: string): ColumnRole {
  const rank = rankBySource.get(name);
  if (rank !== undefined) return rank < sources.length ? 'source' : 'ambiguous';
  if (targetNames.has(name)) return 'target';
  return anchorColumns.has(name) || queryColumns.has(name) || ipColumns.has(name) ? 'text' : 'unknown';
}

/** Returns the rank of a source or ambiguous column: the lower, the better. */
export function getSourceRank(name: string): number {
  return rankBySource.get(name) ?? rankBySource.size;
}

/** Whether a source column with this name can also say where the row came from. */
export function canBeProvenance(name: string): boolean {
  return provenanceNames.has(name);
}

/** English names, and others that English exports have too. */
const englishNames: ReadonlySet<string> = new Set(
  normalizeHeaders([
    ...[...englishSourcePages, ...englishSourceDomains, ...englishTargets, ...englishAnchors],
    ...['page source', 'url source', 'linktext'],
  ]),
);
const otherLanguages: ReadonlySet<string> = new Set(
  normalizeHeaders([...otherSourcePages, ...otherSourceDomains, ...otherTargets, ...otherAnchors]).filter(
    (name) => !englishNames.has(name),
  ),
);

/** Whether a column has a name that only languages other than English have. */
export function isInOtherLanguage(name: string): boolean {
  return otherLanguages.has(name);
}

/** Words of the known names, of which a name with dots consists, such as `source.link`. */
const words: ReadonlySet<string> = new Set(
  [...sources, ...rankBySource.keys(), ...targetNames, ...anchorNames].flatMap((name) => name.split(' ')),
);

/** Whether a text that looks like a host can be the name of a column. */
export function isDottedName(cell: string): boolean {
  return normalizeHeader(cell)
    .split(' ')
    .every((word) => words.has(word));
}

/** Whether the last word of a text with dots occurs in the names of columns, as in `seo.link`. */
export function endsInName(cell: string): boolean {
  return words.has(normalizeHeader(cell).split(' ').at(-1) ?? '');
}

/** Returns whether a column with this name lists domains instead of pages. */
export function isDomainColumn(name: string): boolean {
  return domainNames.has(name);
}

/**
 * Normalizes a header cell for comparison: lower case, with the Turkish İ as i, spaces for underscores and for hyphens
 * and dots in a word, no outer spaces, quotation marks or invisible characters.
 */
export function normalizeHeader(cell: string): string {
  return cell
    .replace(/[\p{Cf}"]/gu, '')
    .replaceAll('’', "'")
    .replace(/(?<=[\p{L}\d])[-.](?=[\p{L}\d])/gu, ' ')
    .replace(/[\s_]+/g, ' ')
    .trim()
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('i\u0307', 'i');
}

/** Normalizes names, of which several can become the same. */
export function normalizeHeaders(names: readonly string[]): string[] {
  return [...new Set(names.map(normalizeHeader))];
}
