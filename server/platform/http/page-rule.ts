import type { FastifyRequest } from 'fastify';

/** What is decided about a page before it is rendered. */
export interface PageRule {
  /** The path, with parameters such as `:name`. */
  path: string;
  /** Returns where to go instead, or what the response has; undefined for nothing special. */
  decide(request: FastifyRequest): Promise<PageDecision | undefined>;
}

export type PageDecision =
  | { redirect: string; permanent: boolean }
  | { status?: number; headers?: Record<string, string> };
