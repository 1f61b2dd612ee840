import type { FastifyRequest } from 'fastify';
import type { Access } from '#shared/endpoint.ts';

/** Who is asking, as the session says: nothing else in a request is believed. */
export interface Identity {
  id: number;
  username: string;
  isAdmin: boolean;
}

/** Finds who is asking; undefined without a live session. */
export type Identify = (request: FastifyRequest) => Promise<Identity | undefined>;

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | undefined;
  }
  interface FastifyContextConfig {
    access?: Access;
  }
}
