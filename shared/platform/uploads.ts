import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** The size of all files of an upload together. */
export const maxUploadBytes = 200 * 1024 * 1024;

/** Most uploads of a user that have not finished, and queued, running and waiting analyses together. */
export const maxUnfinishedAnalyses = 5;

/**
 * Headers of a multipart request that can be continued after its connection breaks. `id` is a random UUID: the run of
 * the upload, such as an analysis, gets the same id. `offset` is the number of bytes of the files that the server
 * already has; the request then has only the rest of each file, in the same order.
 */
export const uploadHeaders = { id: 'upload-id', offset: 'upload-offset' } as const;

const params = z.object({ id: z.uuid() });

export const getUpload = endpoint({
  method: 'GET',
  path: '/api/uploads/:id',
  access: 'user',
  summary: 'Get where to continue an interrupted upload',
  params,
  responses: {
    200: z.object({
      /** How many bytes of each file have been received, in the order of the files. */
      received: z.array(z.number()),
    }),
  },
});

export const deleteUpload = endpoint({
  method: 'DELETE',
  path: '/api/uploads/:id',
  access: 'user',
  summary: 'Delete an interrupted upload',
  params,
});
