/**
 * Splits a pasted text into its names and URLs, which line breaks, spaces, commas or semicolons separate. A comma or
 * semicolon inside a URL does not.
 */
export function splitNames(text: string): string[] {
  return text
    .split(/\s+/)
    .flatMap((part) => part.split(part.includes('/') ? /[,;](?=\w+:\/\/|$)/ : /[,;]/))
    .map((part) => part.replace(/^["'<(]+|["'>)]+$/g, ''))
    .filter(Boolean);
}

/** Whether a pasted text is a list, and not the name or words of one search. */
export function isNameList(text: string): boolean {
  return splitNames(text).filter((name) => /\w\.\w/.test(name)).length > 1;
}
