import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Returns a function that loads a module of the built web app that renders pages. It is loaded by the first call, because
 * React takes a while to load. A failed call is repeated the next time.
 * @param name the name of the module in `scripts/build.ts`
 */
export function createRendererLoader<Renderer>(webFolder: string, name: string): () => Promise<Renderer> {
  let loading: Promise<Renderer> | undefined;
  return () => {
    loading ??= import(pathToFileURL(join(webFolder, `render/${name}.js`)).href).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading as Promise<Renderer>;
  };
}
