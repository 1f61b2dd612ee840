import * as z from 'zod/mini';

const sentence = 'Please enter a valid email address';

/** One address: no list, display name, quotes or markup, and no invisible characters. */
const pattern =
  /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}\p{DI}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}\p{DI}.]+(?:\.[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}\p{DI}.]+)+$/u;

/** The email address in every form. */
export const EmailAddress = z.string().check(z.trim(), z.maxLength(254, sentence), z.regex(pattern, sentence));
