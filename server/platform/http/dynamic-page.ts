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
