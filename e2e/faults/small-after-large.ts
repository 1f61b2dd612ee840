import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Trial } from './trial.ts';
import { createOwner, listDomain, readPeakMemory, sendDelete, uploadExport, waitForAnalysis } from './uploads.ts';
import { withServer } from './with-server.ts';

const megabyte = 1024 * 1024;
const largeBytes = 199 * megabyte;
const host = 'listed.example';
const allowedSeconds = 15;
const allowedMegabytes = 1200;
/** Both reports together, on disk. */
const allowedReportMegabytes = 200;
const allowedDeletionMs = 1000;

/** A small analysis must not wait for the large ones of another account, and their reports must not fill the disk. */
export const smallAfterLargeTrial: Trial = {
  name: 'small-after-large',
  fault: 'One account uploads two files of 200 MB of one listed domain, and another one a file with one line',
  promise: `The small analysis is done within ${allowedSeconds} s, the server uses less than ${allowedMegabytes} MB, the reports less than ${allowedReportMegabytes} MB, and deleting the website takes less than ${allowedDeletionMs} ms`,
  run: () =>
    withServer(async (server) => {
      await listDomain(server, host);
      const [large, small] = [await createOwner(server), await createOwner(server)];
      const before = await measureDisk(server.dataDir);
      const start = performance.now();
      const uploads = await Promise.all([1, 2].map(() => uploadExport(server, large, host, largeBytes)));
      const uploadedSeconds = (performance.now() - start) / 1000;
      const smallStart = performance.now();
      const one = await uploadExport(server, small, host, 20);
      if (one.analysisId) await waitForAnalysis(server, small, one.analysisId);
      const smallSeconds = (performance.now() - smallStart) / 1000;
      for (const { analysisId, status, body } of uploads) {
        if (!analysisId) throw new Error(`An upload returned ${status}: ${body}`);
        const { status: end, message } = await waitForAnalysis(server, large, analysisId);
        if (end !== 'completed') throw new Error(`An analysis ended as ${end}: ${message}`);
      }
      const totalSeconds = (performance.now() - start) / 1000;
      const grown = (await measureDisk(server.dataDir)) - before;
      const peak = await readPeakMemory(server.pid());
      const deletion = await sendDelete(server, `/api/profiles/${large.websiteId}`, large.cookie);
      const figures =
        `${smallSeconds.toFixed(1)} s; both large ones uploaded after ${uploadedSeconds.toFixed(0)} s and analyzed after ` +
        `${totalSeconds.toFixed(0)} s; ${peak.toFixed(0)} MB of memory; ${grown} MB more of tables and ` +
        `indexes; deleted in ${deletion.toFixed(0)} ms`;
      if (
        smallSeconds > allowedSeconds ||
        peak > allowedMegabytes ||
        grown > allowedReportMegabytes ||
        deletion > allowedDeletionMs
      )
        throw new Error(figures);
      return figures;
    }),
};

/** Returns the size of the tables and indexes of the embedded database in MB. */
async function measureDisk(dataDir: string): Promise<number> {
  const { stdout } = await promisify(execFile)('du', ['-sm', `${dataDir}/postgres/cluster/base`]);
  return Number(stdout.split('\t')[0]);
}
