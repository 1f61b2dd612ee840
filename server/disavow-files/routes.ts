import * as contract from '#shared/disavow-files.ts';
import type { Context } from '../context.ts';
import { attachment } from '../http/headers.ts';
import { refuseOtherUser, route, type Scope } from '../http/scope.ts';
import { getOwnProfile } from '../profiles/profiles.ts';
import { withUploads } from '../storage/storage.ts';
import {
  addDisavowFile,
  buildMergedFile,
  buildTakeBackList,
  compareFiles,
  deleteDisavowFile,
  getDisavowReview,
  getOriginalFile,
  listDisavowFiles,
  listLines,
  recordUpload,
} from './disavow-files.ts';
import { createReviewCache } from './review-cache.ts';

export const disavowFileRoutes = {
  user(scope: Scope<'user'>, app: Context): void {
    const { db } = app;
    const context = { ...app, cache: createReviewCache() };
    const toKey = (user: { id: number }, { id, fileId }: { id: number; fileId: number }) => ({
      userId: user.id,
      profileId: id,
      id: fileId,
    });

    route(scope, contract.uploadDisavowFile, async ({ params, user, request }) => {
      // Before the file is received: the upload for another user's website stores nothing.
      await getOwnProfile(db, user.id, params.id);
      await recordUpload(context, user.id);
      const options = { field: contract.uploadDisavowFile.upload, maxBytes: contract.maxDisavowFileBytes };
      return withUploads(context, { user, request }, options, ({ files: [file], fields }) => {
        refuseOtherUser(fields, user.id);
        return addDisavowFile(context, user.id, params.id, file);
      });
    });

    route(scope, contract.listDisavowFiles, ({ params, user }) => listDisavowFiles(db, user.id, params.id));

    route(scope, contract.getDisavowFile, ({ params, user }) => getDisavowReview(context, toKey(user, params)));

    route(scope, contract.listDisavowLines, ({ params, query, user }) =>
      listLines(context, toKey(user, params), query),
    );

    route(scope, contract.compareDisavowFiles, ({ params, query, user }) =>
      compareFiles(context, toKey(user, params), query.since),
    );

    route(scope, contract.downloadMergedDisavow, async ({ params, user, reply }) => {
      const { text, fileName } = await buildMergedFile(context, toKey(user, params));
      return attachment(reply, fileName, 'text/plain').send(text);
    });

    route(scope, contract.downloadReavowList, async ({ params, user, reply }) => {
      const { text, fileName } = await buildTakeBackList(context, toKey(user, params));
      return attachment(reply, fileName, 'text/plain').send(text);
    });

    route(scope, contract.downloadOriginalDisavow, async ({ params, user, reply }) => {
      const { text, fileName } = await getOriginalFile(db, toKey(user, params));
      return attachment(reply, fileName, 'text/plain').send(text);
    });

    route(scope, contract.deleteDisavowFile, ({ params, user }) => deleteDisavowFile(db, toKey(user, params)));
  },
};
