import type { core } from 'zod/mini';

const ofType: Record<string, string> = {
  int: 'must be a whole number',
  number: 'must be a number',
  string: 'must be text',
  boolean: 'must be true or false',
  array: 'must be a list',
};
const units: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
};

/** What is wrong with a value, as a sentence for people that names the field, where the contract has no sentence of its own. */
export function plainSentence(issue: core.$ZodRawIssue): string {
  const field = issue.path?.join('.');
  if (!field) return issue.input ? 'This request is not valid.' : 'The request has no content.';
  if (issue.input === undefined || issue.input === null) return `Please fill in ${field}.`;
  return isEmptyText(issue) ? `Please fill in ${field}.` : `${field} ${complaint(issue)}.`;
}

function isEmptyText(issue: core.$ZodRawIssue): boolean {
  return issue.code === 'too_small' && issue.input === '';
}

function complaint(issue: core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return ofType[issue.expected] ?? 'is not valid';
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of: ${issue.values.join(', ')}`;
    case 'too_small':
      return `must ${limit(issue.origin, issue.inclusive ? 'at least' : 'more than', issue.minimum)}`;
    case 'too_big':
      return `must ${limit(issue.origin, issue.inclusive ? 'at most' : 'less than', issue.maximum)}`;
    case 'invalid_format':
      return issue.format === 'date' ? 'must be a date like 2026-01-31' : 'is not valid';
    case 'unrecognized_keys':
      return `has fields that are not known here: ${issue.keys.join(', ')}`;
    default:
      return 'is not valid';
  }
}

function limit(origin: string, words: string, bound: number | bigint): string {
  const unit = units[origin];
  return unit ? `have ${words} ${bound} ${unit[Number(bound) === 1 ? 0 : 1]}` : `be ${words} ${bound}`;
}
