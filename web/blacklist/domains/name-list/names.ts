/** A host, or a URL with a path. A comma in a path ends it only before another URL or a space. */
const name = /(\w+:\/\/)?[^/?#,;\s"<>]+([/?#]([,;](?!\w+:\/\/|\s|$)|[^,;\s"<>])*)?/g;

function findNames(text: string): string[] {
  const names = text.toLowerCase().match(name) ?? [];
  return names.map((part) => part.replace(/^['(]+|[')]+$/g, '')).filter(Boolean);
}

/**
 * Splits a pasted text into its names and URLs, which line breaks, spaces, commas or semicolons separate. A comma or
 * semicolon inside a URL does not. Returns lower case, and repeated entries once. The check also merges URLs of one
 * host.
 */
export const splitNames = (text: string): string[] => [...new Set(findNames(text))];

/** Whether a pasted text is a list, and not the name or words of one search. */
export function isNameList(text: string): boolean {
  return findNames(text).filter((name) => /\w\.\w/.test(name)).length > 1;
}
