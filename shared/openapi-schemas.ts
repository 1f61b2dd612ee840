import * as z from 'zod/mini';
import { Check, longestQuestion } from './checks.ts';
import { RiskLevel } from './domains.ts';
import { ErrorBody } from './errors.ts';
import { BulkAnswer, BulkQuestion, KeyUsage, NoDomain } from './key-checks.ts';
import type { JsonSchema } from './openapi-document.ts';
import {
  bulkAnswer,
  bulkQuestion,
  errorExample,
  keyUsage,
  listedCheck,
  noDomain,
  unknownCheck,
} from './openapi-examples.ts';

/** What stands beside a schema or a field in the document. The keywords of JSON Schema say what zod's types leave open. */
interface Note {
  description: string;
  format?: 'date-time' | 'uuid';
  type?: string | string[];
  minimum?: number;
}

const notes = z.registry<Note & { id?: string; examples?: unknown[] }>();

const count = { type: 'integer', minimum: 0 };
const countOrNull = { type: ['integer', 'null'], minimum: 1 };
const time = { format: 'date-time' } as const;

notes.add(RiskLevel, {
  id: 'RiskLevel',
  description:
    'How likely a link from there was paid for, by the number of sources that name the domain: 1 is `low`, 2 or 3 `medium`, 4 `high`, 5 or more `very high`. An admin may have set another level.',
  examples: ['medium'],
});

describe('Check', Check, 'What the blacklist says of one domain.', [listedCheck, unknownCheck], {
  domain: {
    description:
      'What was asked, reduced to its host name: lower case, without `www.`, in ASCII by UTS 46, nontransitional (`straße.example` is `xn--strae-oqa.example`). All spellings of a name have it in common: merge duplicates by it.',
  },
  listed: { description: 'Whether the domain, or one above it, is on the blacklist.' },
  matchedDomain: {
    description:
      'The listed name: that of the question, or the one above it. A listed domain covers all its subdomains. Null where nothing is listed.',
  },
  riskLevel: { description: 'The risk level of the listed name. Null where nothing is listed.' },
  sourceCount: { description: 'How many sources name it. Null where nothing is listed.', ...countOrNull },
  niche: { description: 'What the site writes about, where that is known.' },
  dateAdded: { description: 'When the name came onto the blacklist. Null where nothing is listed.', ...time },
  lastUpdated: { description: 'When its entry was changed last. Null where nothing is listed.', ...time },
  checkedAt: { description: 'When this answer was made.', ...time },
});

describe(
  'NoDomain',
  NoDomain,
  `An entry of a bulk check that is no domain, or has more than ${longestQuestion} characters.`,
  [noDomain],
  {
    domain: { description: 'The entry as it was sent.' },
    error: { description: 'A sentence that says what is wrong with it.' },
  },
);

describe('BulkQuestion', BulkQuestion, 'The domains to be checked.', [bulkQuestion], {
  domains: {
    description: `Domains, or addresses of pages. Each entry costs one request, also one that stands there twice, is no domain or has more than ${longestQuestion} characters.`,
  },
});

describe('BulkAnswer', BulkAnswer, 'The answers to a bulk check.', [bulkAnswer], {
  results: {
    description:
      'One answer for each entry, in the order of the question. What was refused has an `error` in its place.',
  },
  listed: { description: 'How many of the entries are listed.', ...count },
  total: { description: 'How many entries were asked.', ...count },
});

describe('KeyUsage', KeyUsage, 'What a key has used of its day.', [keyUsage], {
  name: { description: 'The name that its owner gave the key.' },
  dailyLimit: { description: 'Requests that the key has in a day.', ...count },
  dailyUsage: { description: 'Requests of this day. Days begin at 00:00 UTC.', ...count },
  remaining: { description: 'Requests that are left of this day.', ...count },
  resetAt: { description: 'When the next day begins, and the count anew.', ...time },
  usageCount: { description: 'Requests since the key was made.', ...count },
  lastUsed: { description: 'When the key was used for a check last. Null: never.', ...time },
});

describe(
  'Error',
  ErrorBody,
  'The body of every answer from 400 on. None of them is counted.',
  [errorExample('invalid', noDomain.error, { domain: noDomain.error })],
  {
    error: { description: 'A sentence for people that says what to do next.' },
    code: { description: 'A word for programs. Another may be added: treat one that you do not know by its status.' },
    requestId: {
      description: 'Names this request in the log of the server. Please send it along when you report a problem.',
      format: 'uuid',
    },
    fields: {
      description:
        'With `invalid`: the name of each refused field or parameter, and a sentence about it. An entry of a list is `domains.1`, counted from 0; the body itself is `body`.',
    },
  },
);

/** Every named schema of the public API, as JSON Schema. */
export function componentSchemas(): Record<string, JsonSchema> {
  // As input: an answer may get more fields one day, and no program is to refuse them.
  const { schemas } = z.toJSONSchema(notes, { io: 'input', metadata: notes, uri: refTo });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plain(schema)]));
}

/** The schema as a part of another, or by its name where it has one. */
export function schemaOf(schema: z.ZodMiniType): JsonSchema {
  const id = notes.get(schema)?.id;
  return id === undefined ? plain(z.toJSONSchema(schema, { io: 'input' })) : { $ref: refTo(id) };
}

const refTo = (id: string) => `#/components/schemas/${id}`;

/** Without the words that say which dialect it is and where it stands: the document does. */
function plain(schema: object): JsonSchema {
  const { $schema, $id, id, ...rest } = schema as Record<string, unknown>;
  return rest as JsonSchema;
}

/** Names a schema, and says of each of its fields what it is: a new field without words is a type error. */
function describe<S extends z.ZodMiniObject>(
  id: string,
  schema: S,
  description: string,
  examples: z.output<S>[],
  fields: Record<keyof S['shape'] & string, Note>,
): void {
  notes.add(schema, { id, description, examples });
  for (const [name, note] of Object.entries<Note>(fields)) {
    const field = schema.shape[name];
    if (field) notes.add(field as z.ZodMiniType, note);
  }
}
