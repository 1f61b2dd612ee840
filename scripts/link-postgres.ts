import { findPostgresPrograms } from '../server/platform/db/postgres-programs.ts';
import { StartError } from '../server/start-error.ts';

/**
 * The second part of `npm run build`: completes the PostgreSQL of the npm packages, so that it also runs for users who
 * cannot write to this folder. Without such a package, the program needs DATABASE_URL.
 */
await findPostgresPrograms(undefined, '').catch((error: unknown) => {
  if (!(error instanceof StartError)) throw error;
  console.log(error.message);
});
