import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Loads a module of the built web app that renders pages, because React takes so long to load that other requests would
 * notice. @returns a function that waits for the module, and repeats a failed load
 * @param name the name of the module in `scripts/build.ts`
 */
export function createRendererLoader<Renderer>(webFolder: string, name: string): () => Promise<Renderer> {
  let loading: Promise<Renderer> | undefined;
  const load = () => {
    loading ??= import(pathToFileURL(join(webFolder, `render/${name}.js`)).href).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading as Promise<Renderer>;
  };
  // The request that repeats a failed load reports its error.
  load().catch(() => undefined);
  return load;
}
