import { unavailable } from '../http/errors.ts';

const queryCanceled = '57014';

/** Turns the database's "took too long" into a sentence for people (503). */
export async function impatient<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === queryCanceled)) throw error;
    throw unavailable(
      'This combination of search and filters matches too much to be counted now. Please narrow it down.',
      30,
    );
  }
}
