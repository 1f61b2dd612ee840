import type { FastifyInstance } from 'fastify';

/** A filter that is left empty (`?sort=&tld=`) is a filter that is not given, for every call. */
export function dropEmptyQuery(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    const query = request.query as Record<string, unknown>;
    for (const [name, value] of Object.entries(query)) if (value === '') delete query[name];
  });
}
