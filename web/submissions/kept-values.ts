import { emptyValues, type SubmissionFormValues } from './submission-form-values.ts';

/** Where a person's unsent form stands: in this tab, so that it survives a reload but not the end of a visit to a shared computer. */
const keyOf = (userId: number) => `unsent-submission-${userId}`;

/** The values that were typed before a reload; those that are missing or of another kind are empty. */
export function readKept(userId: number): SubmissionFormValues {
  const kept = readJson(keyOf(userId));
  const values = { ...emptyValues };
  for (const name of Object.keys(values) as (keyof SubmissionFormValues)[]) {
    const value = kept[name];
    if (name === 'domainRating' && typeof value === 'number') values.domainRating = value;
    else if (typeof value === 'string') values[name] = value;
  }
  return values;
}

export function keep(userId: number, values: SubmissionFormValues): void {
  try {
    if (Object.values(values).every((value) => value === '')) sessionStorage.removeItem(keyOf(userId));
    else sessionStorage.setItem(keyOf(userId), JSON.stringify(values));
  } catch {
    // Storage is switched off: a reload begins anew.
  }
}

function readJson(key: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
