import { readFileSync } from 'node:fs';

const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ru', 'tr', 'ja', 'zh'] as const;
export type Language = (typeof languages)[number];

const kinds = [
  ...(['words', 'links', 'posts', 'bares', 'offers', 'orders', 'ours', 'money', 'replies', 'agrees', 'nots'] as const),
  ...(['frees', 'asks', 'reports', 'pasts', 'others', 'visits', 'contacts'] as const),
] as const;
/** What a phrase says. The head of `phrases.txt` explains them. */
export type PhraseKind = (typeof kinds)[number];

/** Whether a folded text contains a phrase of the kind. */
export const hasPhrase = (language: Language, kind: PhraseKind, folded: string): boolean =>
  folded.search(getPhrases(language).byKind[kind]) >= 0;

/** Whether a folded text contains a phrase of the kind in any of the languages. */
export const hasPhraseOfAny = (kind: PhraseKind, folded: string): boolean =>
  languages.some((language) => hasPhrase(language, kind, folded));

/** Converts a text to the form that phrases match: lower case, without accents, with spaces for hyphens and quotes. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[ıłß]/g, (letter) => ({ ı: 'i', ł: 'l', ß: 'ss' })[letter] ?? letter)
    .replace(/[-‐‑_'’`\s]+/g, ' ')
    .trim();

/** The start of a text by which its language is recognized, in characters. */
const maxSample = 6000;

/**
 * Returns the language whose words and phrases a folded text contains most often. Without any, the declared one, else
 * English. Many sites declare a language that is not theirs.
 */
export function detectLanguage(folded: string, declared: string): Language {
  const sample = folded.slice(0, maxSample);
  if (/[\u3040-\u30ff]/.test(sample)) return 'ja';
  const given = languages.find((language) => declared.toLowerCase().startsWith(language)) ?? 'en';
  const counts = languages.map((language) => ({
    language,
    count: sample.match(getPhrases(language).own)?.length ?? 0,
  }));
  return counts.reduce((best, other) => (other.count > best.count ? other : best), {
    language: given,
    count: counts.find(({ language }) => language === given)?.count ?? 0,
  }).language;
}

function getPhrases(language: Language): LanguagePhrases {
  const found = phrases.get(language);
  if (!found) throw new Error(`phrases.txt has no phrases for ${language}.`);
  return found;
}

interface LanguagePhrases {
  /** Those of the language and those of all languages. */
  byKind: Readonly<Record<PhraseKind, RegExp>>;
  /** Those of the language only, of all kinds. */
  own: RegExp;
}

/** Reads phrases.txt into patterns for folded texts. */
function readPhrases(): Map<Language, LanguagePhrases> {
  const sections = new Map<string, Map<string, string[]>>();
  let section = new Map<string, string[]>();
  for (const line of readFileSync(new URL('./phrases.txt', import.meta.url), 'utf8').split('\n')) {
    const head = /^\[(\w+)\]/.exec(line)?.[1];
    const [, kind, list] = /^(\w+): (.*)$/.exec(line) ?? [];
    if (head !== undefined) {
      section = new Map();
      sections.set(head, section);
    } else if (kind !== undefined && list !== undefined) section.set(kind, list.split(', '));
  }
  const listPhrases = (name: string, kind: PhraseKind) => sections.get(name)?.get(kind) ?? [];
  return new Map(
    languages.map((language) => {
      const isUnspaced = language === 'ja' || language === 'zh';
      const byKind = kinds.map((kind) => {
        const list = [...listPhrases(language, kind), ...listPhrases('any', kind)];
        return [kind, buildPattern(list, isUnspaced)] as const;
      });
      const own = buildPattern(
        kinds.flatMap((kind) => listPhrases(language, kind)),
        isUnspaced,
      );
      return [language, { byKind: Object.fromEntries(byKind) as Record<PhraseKind, RegExp>, own }];
    }),
  );
}

/** @param isUnspaced whether the language writes its words without spaces between them */
function buildPattern(list: readonly string[], isUnspaced: boolean): RegExp {
  const [anyWord, anyEnding] = isUnspaced
    ? ['[^。]{0,12}', '']
    : [String.raw`[^\s\p{L}]{0,3}(?: \S+){0,5}? `, String.raw`\p{L}*`];
  const toPattern = (phrase: string) => RegExp.escape(phrase).replaceAll('\\*', anyEnding).replaceAll('…', anyWord);
  const folded = list.map((phrase) => foldText(phrase).replace(/ ?\.\.\. ?/g, '…'));
  const [words, signs] = [folded.filter(isWord), folded.filter((phrase) => !isWord(phrase))].map((some) =>
    some.map(toPattern).join('|'),
  );
  const bounded = isUnspaced ? words : String.raw`(?<![\p{L}\p{N}])(?:${words})(?![\p{L}\p{N}])`;
  return new RegExp([words && bounded, signs].filter(Boolean).join('|') || '(?!)', 'gu');
}

const isWord = (phrase: string) => /[\p{L}*]/u.test(phrase);

const phrases: ReadonlyMap<Language, LanguagePhrases> = readPhrases();
