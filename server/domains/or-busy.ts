import { unavailable } from '../http/errors.ts';

/** Lock timeout, deadlock. */
const busy = new Set(['55P03', '40P01']);

/** Turns the database's word that others hold what is wanted into a sentence for people (503). */
export async function orBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && busy.has(String(error.code)))) throw error;
    throw unavailable(
      'An import or another change of many domains is under way. Please try again when it is done.',
      30,
    );
  }
}
