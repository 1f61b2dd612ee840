/** Signs that nobody sees: they turn the direction of what follows, or make two names that look the same. */
const unseen = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A text as one line: every run of white space and controls is one space, and nothing turns what stands behind it. */
export function plainLine(text: string): string {
  return text
    .replace(unseen, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
