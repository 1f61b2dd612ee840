import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyRequest } from 'fastify';

/** A page with a prerendered frame, whose content depends on the request. */
export interface DynamicPage {
  /** The path, with parameters such as `:name`. */
  path: string;
  /** The file of the frame, in the folder of the web app. */
  file: string;
  /** Returns undefined if there is no such page. */
  load(request: FastifyRequest): Promise<DynamicContent | undefined>;
}

export type DynamicContent =
  | { redirect: string; permanent: boolean }
  | {
      status: number;
      headers: Record<string, string>;
      /** Replace the placeholders of the frame, after they are escaped. */
      texts: Record<string, string>;
      /** HTML that replaces placeholders of the frame. */
      html: Record<string, string>;
    };

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
