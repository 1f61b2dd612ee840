import * as z from 'zod/mini';

/** A text without white space around it. Only the first limit that it breaks is reported, in the words given. */
export function text(min: number, tooShort: string, max: number, tooLong?: string, kind = z.string()) {
  return kind.check(
    z.trim(),
    z.minLength(min, { error: tooShort, abort: true }),
    z.maxLength(max, { error: tooLong, abort: true }),
  );
}

export function optionalText(max: number, tooLong?: string) {
  return z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(max, tooLong))));
}
