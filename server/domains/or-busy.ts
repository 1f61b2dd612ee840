import { unavailable } from '../http/errors.ts';

const lockNotAvailable = '55P03';

/** Turns the database's lock timeout into a sentence for people (503). */
export async function orBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === lockNotAvailable)) throw error;
    throw unavailable('An import or another change of many domains is under way. Please try again when it is done.');
  }
}
