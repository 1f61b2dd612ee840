import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { requireDeclaredAccess } from './fastify.ts';

test('the start fails if a route does not declare its access', async () => {
  const app = fastify();
  requireDeclaredAccess(app);
  app.get('/open', { config: { access: 'public' } }, async () => 'ok');
  app.get('/forgotten', async () => 'oops');
  await expect(app.ready()).rejects.toThrow('do not declare their access: GET /forgotten');
});
