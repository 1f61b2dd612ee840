import { lookup } from 'node:dns/promises';
import { createServer } from 'node:net';
import { getErrorMessage, StartError } from '../../start-error.ts';

/** Returns a TCP port of 127.0.0.1 that no program listens on. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('No free port.')),
      );
    });
  });
}

/** @throws StartError with a sentence that says what to do if the server cannot listen on the port */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const addresses = await lookup(host, { all: true }).catch((error: unknown) => {
    throw new StartError(`Linksieve cannot listen on the HOST ${host}: ${getErrorMessage(error)}. Set another HOST.`, {
      cause: error,
    });
  });
  const probes = await Promise.all(addresses.map(({ address }) => probe(address, port)));
  // A name such as localhost may resolve to an address family that this machine does not support.
  const failed =
    probes.find((error) => error && error.code !== 'EADDRNOTAVAIL') ?? (probes.every(Boolean) && probes[0]);
  if (failed) throw new StartError(describePortError(failed, host, port), { cause: failed });
}

function probe(address: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', resolve);
    server.listen(port, address, () => server.close(() => resolve(undefined)));
  });
}

function describePortError(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE')
    return `Another program already uses port ${port}. Stop it, or use another port: PORT=${port + 1} npm start`;
  if (error.code === 'EACCES')
    return `Port ${port} needs special permissions. Use a port above 1023: PORT=3000 npm start`;
  if (error.code === 'EADDRNOTAVAIL')
    return `This machine does not have the address ${host}. Set HOST to one of its addresses, or to 0.0.0.0 for all.`;
  return `Linksieve cannot listen on ${host}:${port}: ${getErrorMessage(error)}.`;
}
