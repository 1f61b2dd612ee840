import { endpoint } from './endpoint.ts';

/** Answers with an OpenAPI 3.1 document (`openapi.ts`), in which the address of this server stands. */
export const readOpenApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  access: 'public',
  summary: 'The public API as an OpenAPI document',
});
