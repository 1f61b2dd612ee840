import { lookup } from 'node:dns/promises';
import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import pg from 'pg';
import { connectionPatience } from './db/database.ts';
import { messageOf, StartError } from './start-error.ts';

/** What a start needs from outside. Each is asked for before anything is started, and throws StartError where it is not to be had. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const addresses = await lookup(host, { all: true }).catch((error: unknown) => {
    throw new StartError(`Linksieve cannot listen on the HOST ${host}: ${messageOf(error)}`, { cause: error });
  });
  const probes = await Promise.all(addresses.map(({ address }) => probe(address, port)));
  // A name such as localhost may stand for an address family that this machine does not have.
  const failed =
    probes.find((error) => error && error.code !== 'EADDRNOTAVAIL') ?? (probes.every(Boolean) && probes[0]);
  if (failed) throw new StartError(portSentence(failed, host, port), { cause: failed });
}

function probe(address: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', resolve);
    server.listen(port, address, () => server.close(() => resolve(undefined)));
  });
}

function portSentence(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE')
    return `Another program already uses port ${port}. Stop it, or start with another one: PORT=${port + 1} npm start`;
  if (error.code === 'EACCES')
    return `Port ${port} needs special rights. Start with a port above 1023: PORT=3000 npm start`;
  if (error.code === 'EADDRNOTAVAIL')
    return `This machine has no address ${host}. Set HOST to one of its own, or to 0.0.0.0 for all.`;
  return `Linksieve cannot listen on ${host}:${port}: ${error.message}`;
}

/** Makes the folder where it is missing. */
export async function requireFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    const sentence = `Linksieve cannot write to its data folder ${folder}: ${messageOf(error)}. Set another DATA_DIR.`;
    throw new StartError(sentence, { cause: error });
  }
}

export async function requireDatabase(url: string): Promise<void> {
  try {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'linksieve-start',
      connectionTimeoutMillis: connectionPatience,
    });
    await client.connect();
    await client.end();
  } catch (error) {
    // The address holds a password: it is not repeated.
    const sentence = `The database of the setting DATABASE_URL does not let Linksieve in: ${messageOf(error)}`;
    throw new StartError(sentence, { cause: error });
  }
}
