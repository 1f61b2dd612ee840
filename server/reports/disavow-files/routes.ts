import type { FastifyRequest } from 'fastify';
import * as contract from '#shared/reports/disavow-files.ts';
import { downloadDisavowWithKey } from '#shared/reports/key-websites.ts';
import type { Context } from '../../context.ts';
import { attachment, sendJson } from '../../platform/http/headers.ts';
import { type Identity, refuseOtherUser, route, type Scope } from '../../platform/http/scope.ts';
import { admitUpload } from '../../platform/storage/storage.ts';
import { getOwnWebsite } from '../websites/websites.ts';
import {
  addDisavowFile,
  buildDisavowDownload,
  buildNewestFile,
  deleteDisavowFile,
  listDisavowFiles,
  readDisavowFile,
  recordUpload,
} from './disavow-files.ts';

export const disavowFileRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    const { db } = context;
    const toKey = (user: { id: number }, { id, fileId }: { id: number; fileId: number }) => ({
      userId: user.id,
      websiteId: id,
      id: fileId,
    });

    route(scope, contract.uploadDisavowFile, async ({ params, user, request, reply, signal }) => {
      // Before the file is received: the upload for another user's website stores nothing.
      await getOwnWebsite(db, user.id, params.id);
      await recordUpload(context, user.id);
      const json = await receiveFile(context, { user, request }, params.id, signal);
      return sendJson(reply, json);
    });

    route(scope, contract.listDisavowFiles, ({ params, user }) => listDisavowFiles(db, user.id, params.id));

    route(scope, contract.getDisavowFile, async ({ params, user, reply, signal }) =>
      sendJson(reply, await readDisavowFile(context, toKey(user, params), { name: 'review' }, signal)),
    );

    route(scope, contract.listDisavowLines, async ({ params, query, user, reply, signal }) =>
      sendJson(reply, await readDisavowFile(context, toKey(user, params), { name: 'lines', query }, signal)),
    );

    route(scope, contract.compareDisavowFiles, async ({ params, query, user, reply, signal }) => {
      const part = { name: 'changes', since: query.since } as const;
      return sendJson(reply, await readDisavowFile(context, toKey(user, params), part, signal));
    });

    route(scope, contract.downloadMergedDisavow, async ({ params, user, reply, signal }) => {
      const { text, fileName } = await buildDisavowDownload(context, toKey(user, params), 'merged', signal);
      return attachment(reply, fileName, 'text/plain').send(text);
    });

    route(scope, contract.downloadReavowList, async ({ params, user, reply, signal }) => {
      const { text, fileName } = await buildDisavowDownload(context, toKey(user, params), 'takeBack', signal);
      return attachment(reply, fileName, 'text/plain').send(text);
    });

    route(scope, contract.downloadOriginalDisavow, async ({ params, user, reply, signal }) => {
      const { text, fileName } = await buildDisavowDownload(context, toKey(user, params), 'original', signal);
      return attachment(reply, fileName, 'text/plain').send(text);
    });

    route(scope, contract.deleteDisavowFile, ({ params, user }) => deleteDisavowFile(db, toKey(user, params)));
  },

  key(scope: Scope<'key'>, context: Context): void {
    route(scope, downloadDisavowWithKey, async ({ params, key, reply, signal }) => {
      const { text, fileName } = await buildNewestFile(context, key.userId, params.id, signal);
      return attachment(reply, fileName, 'text/plain').send(text);
    });
  },
};

/** Receives and stores a disavow file. What is left of the upload is removed before the response is sent. */
async function receiveFile(
  context: Context,
  { user, request }: { user: Identity; request: FastifyRequest },
  websiteId: number,
  signal: AbortSignal,
): Promise<string> {
  const options = { field: contract.uploadDisavowFile.upload, maxBytes: contract.maxDisavowFileBytes };
  await using upload = await admitUpload(context, { user, request }, options);
  const { files, fields } = await upload.receive();
  refuseOtherUser(fields, user.id);
  return await addDisavowFile(context, { userId: user.id, websiteId }, files[0], signal);
}
