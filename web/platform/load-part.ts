import { lazy, type ReactNode } from 'react';
import { checkConnection, waitForConnection } from './connection.ts';

/** Thrown if code cannot be loaded although the server responds, for example because a newer version is deployed. */
export class MissingPart extends Error {}

/**
 * Loads code with `import()`, as soon as there is a connection. The page must then be reloaded, because Chromium does
 * not repeat an import that failed.
 * @throws MissingPart if that fails, after the connection is back
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  await waitForConnection();
  try {
    return await load();
  } catch {
    await checkConnection();
    await waitForConnection();
    throw new MissingPart();
  }
}

/** Returns a component that is loaded when it is first rendered, inside a Suspense boundary. */
export function lazyPart<Props>(load: () => Promise<(props: Props) => ReactNode>) {
  return lazy(async () => ({ default: await loadPart(load) }));
}
