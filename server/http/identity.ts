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

/** Whose API key a request carries. */
export interface KeyHolder {
  keyId: number;
  userId: number;
  /** Requests of this UTC day that were written down when it was looked up. */
  used: number;
}

/** Finds whose key a text is; undefined when it is no key, there is none such any more, or its owner's account is disabled. */
export type FindKeyHolder = (key: string) => Promise<KeyHolder | undefined>;

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | undefined;
    /** In the scope of key holders only, where no session counts. */
    keyHolder: KeyHolder | undefined;
  }
  interface FastifyContextConfig {
    access?: Access;
    /** What an admin does by it, for the audit log. */
    act?: string;
    /** Whether it is a GET that changes something. */
    changes?: true;
    /** Where the headers of pages are left out. */
    helmet?: { skipRoute: true };
  }
}
