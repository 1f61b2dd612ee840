import * as z from 'zod/mini';

/** A trimmed string of `min` to `max` characters. Reports only the first limit it exceeds, with the given message. */
export function text({
  min,
  max,
  tooShort,
  tooLong,
  schema = z.string(),
}: {
  min: number;
  max: number;
  tooShort: string;
  tooLong?: string;
  schema?: ReturnType<typeof z.string>;
}) {
  return schema.check(
    z.trim(),
    z.minLength(min, { error: tooShort, abort: true }),
    z.maxLength(max, { error: tooLong, abort: true }),
  );
}

/** A trimmed string of up to `max` characters, null or undefined. */
export function optionalText(max: number, tooLong?: string) {
  return z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(max, tooLong))));
}
