export type WindowsEncoding = 'Windows-1250' | 'Windows-1251' | 'Windows-1252' | 'Windows-1254';

/** The letters outside ASCII in each language, in groups of similar frequency, with the most frequent first. */
const letters: Record<WindowsEncoding, Record<string, string>> = {
  'Windows-1252': {
    German: 'üä öß é àáèóçñ',
    French: 'é à èê ç ôîâûùï ëœ æñö',
    Spanish: 'óíáé ñú ¿ üº¡ ªç',
    Portuguese: 'ãç éáíó êúâõ ôàº ü',
    Italian: 'àè ù òéì î',
    'Swedish and Finnish': 'äö å é üšž',
    'Danish and Norwegian': 'øå æ é öäôü',
    Dutch: 'éë ïè öüç óêñ',
    Catalan: 'àóéèí ç òúï· ü',
    Icelandic: 'áíðó þöæé ú ý',
    English: 'é ñèç áíóïöüâ',
  },
  'Windows-1250': {
    Polish: 'ł ęóąż ść ń ź',
    Czech: 'í áěé ýřšžč ů úó ťňď',
    Slovak: 'áí éčýžš úľť óôäň ďĺŕ',
    Hungarian: 'éá óö őüí úű',
    Romanian: 'ă îşţâ',
    'Croatian and Slovenian': 'č šž ćđ',
  },
  'Windows-1251': {
    Russian: 'оеаи нтсрвл кмдпуя ыьгзбч йхжшю цщэфё ъ',
    Ukrainian: 'оанив іетрск улдмпзя ьбгчйхж цшюєї щф ґ',
    Bulgarian: 'аоие тнрсвл кдпмзяъг бучщ жцшюйхф ь',
    'Serbian and Macedonian': 'аоие нрсјтук двмпзлгб чшцж хњљћђ џфќѓѕ',
    Belarusian: 'аінеы окртлс дуямзўвп ьгбчйцх шэжюёф',
  },
  'Windows-1254': {
    Turkish: 'ı üş çğö İ âîû',
  },
};
/** How frequent the letters of a group are, relative to the group before. */
const groupRatio = 0.6;
const symbols = '’–“”‘„…—«»€®™°©·•№\u00a0£²½';

const letter = String.raw`[\p{L}--\p{ASCII}]`;
/** A letter that changes to upper case inside a word, and a symbol between two letters. */
const unlikelyAnywhere = [
  String.raw`(?<=\p{Ll})[\p{Lu}--\p{ASCII}]`,
  String.raw`[\p{Ll}--\p{ASCII}](?=[A-Z])`,
  String.raw`(?<=\p{L})[^\p{L}\p{ASCII}’·\xa0](?=\p{L})`,
];
const twoInARow = `(?<=${letter})${letter}`;
const symbolAfterWord = String.raw`(?<=\p{L}{2})[ºª¿¡]|(?<=[a-ln-z])[¹³]`;
/** What rarely occurs in text of each encoding, but often in text of another one that is read as it. */
const unlikely: Record<WindowsEncoding, readonly string[]> = {
  'Windows-1252': [
    twoInARow,
    symbolAfterWord,
    '[ñÑ](?=[b-df-hj-np-tv-zB-DF-HJ-NP-TV-Z])',
    String.raw`ì(?=\p{L})|(?<!\p{L})[èìÈÌ](?=\p{L})|è(?=[aeijkouwáéíóúìù])`,
    'ã(?=[b-df-hj-np-rt-z])',
    String.raw`(?<=\p{L})[þÞ]`,
  ],
  'Windows-1250': [twoInARow, 'ă(?=[aeoăâ])', 'ő(?=[ae])', 'č(?=[gmrsv])', 'ń(?=[aeiouyóąę])'],
  'Windows-1251': [`(?<=[a-zA-Z])${letter}`, `${letter}(?=[a-zA-Z])`],
  'Windows-1254': [twoInARow, symbolAfterWord, String.raw`(?<!\p{L})ğ`],
};

/** Costs are negative natural logarithms of probabilities. */
const costs = { unlikely: 2.5, upperCase: 1.5, symbol: 4, otherSymbol: 7, otherLetter: 8, control: 12, notWestern: 1 };

interface Model {
  encoding: WindowsEncoding;
  decode: (bytes: Uint8Array) => string;
  unlikely: RegExp;
  /** For each language, the cost of each byte. */
  languages: Float64Array[];
}

const models = (Object.keys(letters) as WindowsEncoding[]).map((encoding): Model => {
  const decoder = new TextDecoder(encoding);
  const characters = Array.from({ length: 256 }, (_, byte) => decoder.decode(Uint8Array.of(byte)));
  return {
    encoding,
    decode: (bytes) => decoder.decode(bytes),
    unlikely: new RegExp([...unlikelyAnywhere, ...unlikely[encoding]].join('|'), 'gv'),
    languages: Object.values(letters[encoding]).map((groups) => {
      const weights = new Map(
        groups.split(' ').flatMap((group, rank) => Array.from(group, (one) => [one, groupRatio ** rank])),
      );
      const total = weights.values().reduce((sum, weight) => sum + weight, 0);
      return Float64Array.from(characters, (character, byte) => {
        if (byte < 128) return 0;
        const weight = weights.get(character);
        if (weight !== undefined) return -Math.log(weight / total);
        const lowerCase = weights.get(character.toLowerCase());
        if (lowerCase !== undefined) return costs.upperCase - Math.log(lowerCase / total);
        if (/[\p{L}\p{Sk}]/u.test(character)) return costs.otherLetter;
        if (/\p{Cc}/u.test(character)) return costs.control;
        return symbols.includes(character) ? costs.symbol : costs.otherSymbol;
      });
    }),
  };
});

const typical = new Set(
  [...Object.values(letters).flatMap((languages) => Object.values(languages)), symbols].flatMap((list) => [
    ...list,
    ...list.toUpperCase(),
  ]),
);

/** Returns whether the languages that are told apart use a character often. */
export function isTypicalCharacter(character: string): boolean {
  return typical.has(character);
}

/**
 * Returns the encoding in which the lines look most like text: a mixture of its languages with as few unlikely
 * sequences as possible. Without evidence for another one, it is Windows-1252.
 */
export function detectWindowsEncoding(lines: readonly Buffer[]): WindowsEncoding {
  let best: { encoding: WindowsEncoding; cost: number } = { encoding: 'Windows-1252', cost: Number.POSITIVE_INFINITY };
  for (const model of models) {
    const cost = costOfLines(model, lines) + (model.encoding === 'Windows-1252' ? 0 : costs.notWestern);
    if (cost < best.cost) best = { encoding: model.encoding, cost };
  }
  return best.encoding;
}

function costOfLines({ decode, unlikely, languages }: Model, lines: readonly Buffer[]): number {
  let cost = 0;
  const costsByLine = lines.map((line) => {
    cost += (decode(line).match(unlikely)?.length ?? 0) * costs.unlikely;
    const sums = new Float64Array(languages.length);
    for (const byte of line) {
      if (byte < 128) continue;
      for (let i = 0; i < sums.length; i += 1) sums[i] = (sums[i] as number) + (languages[i]?.[byte] as number);
    }
    return sums;
  });
  return cost + costOfMixture(costsByLine, languages.length);
}

/**
 * Returns the cost of the lines if each is in one of the languages, whose shares are estimated from the lines
 * (expectation maximization): a file is rarely in all languages of an encoding.
 */
function costOfMixture(costsByLine: readonly Float64Array[], languages: number): number {
  let shares = new Float64Array(languages).fill(1 / languages);
  let cost = 0;
  for (let round = 0; round < 4; round += 1) {
    cost = 0;
    const counts = new Float64Array(languages).fill(0.3);
    for (const sums of costsByLine) {
      const least = Math.min(...sums);
      const likelihoods = sums.map((sum, i) => (shares[i] as number) * Math.exp(least - sum));
      const total = likelihoods.reduce((a, b) => a + b, 0);
      for (let i = 0; i < languages; i += 1) counts[i] = (counts[i] as number) + (likelihoods[i] as number) / total;
      cost += least - Math.log(total);
    }
    shares = counts.map((count) => count / (costsByLine.length + 0.3 * languages));
  }
  return cost;
}
