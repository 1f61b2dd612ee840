import { randomUUID } from 'node:crypto';
import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import { lookupNames } from '../hosts/hosts.ts';
import { backlinkRows } from './backlink-rows.ts';
import { createKeptPages } from './keep-pages.ts';
import { type Picks, pickListed } from './pick-listed.ts';
import { countHosts } from './read-backlinks.ts';
import type { Counted, FromThread, ReadingTask, ToThread } from './thread-messages.ts';

// The thread that reads one upload for the process that started it (reading.ts), which asks PostgreSQL meanwhile.

const namesAtOnce = 20_000;
const progressEvery = 200;

if (!parentPort) throw new Error('read-thread.ts runs as a thread of reading.ts only.');
const port = parentPort;
const orders = on(port, 'message') as AsyncIterableIterator<[ToThread]>;
const task = workerData as ReadingTask;
const pages = createKeptPages(`${task.path}.${randomUUID()}`);

try {
  const { counted, hosts } = await count();
  tell({ kind: 'counted', counted });
  const picks = pickListed(hosts, (await nextOrder('pick')).listed.split('\n'));
  tell({ kind: 'picked', names: picks.names.join('\n'), counts: picks.counts.join('\n') });
  hosts.clear();
  await send(picks);
} catch (error) {
  if (!(error instanceof UnreadableFile)) throw error;
  tell({ kind: 'unreadable', code: error.code, sentence: error.message });
}

async function count(): Promise<{ counted: Counted; hosts: Map<string, number> }> {
  const parents = new Set<string>();
  const domains = new Set<string>();
  let names: string[] = [];
  let progressAt = 0;
  const ask = () => {
    if (names.length > 0) tell({ kind: 'names', names: names.join('\n') });
    names = [];
  };
  const { format, backlinks, hosts, skipped } = await countHosts(task.path, {
    ownHost: task.ownHost,
    onRow: pages.keep,
    onHosts(newHosts) {
      for (const host of newHosts) {
        const [, ...above] = lookupNames(host);
        names.push(host);
        domains.add(above.at(-1) ?? host);
        for (const parent of above) {
          if (!parents.has(parent)) names.push(parent);
          parents.add(parent);
        }
      }
      if (names.length >= namesAtOnce) ask();
    },
    onProgress(bytesRead, totalBytes) {
      if (performance.now() < progressAt) return;
      progressAt = performance.now() + progressEvery;
      tell({ kind: 'progress', share: bytesRead / Math.max(1, totalBytes) });
    },
  });
  ask();
  const counted = { format, skipped, totalBacklinks: backlinks, totalDomains: hosts.size, uniqueDomains: domains.size };
  return { counted, hosts };
}

async function send(picks: Picks): Promise<void> {
  const names = (await nextOrder('settle')).names.split('\n');
  const settled = picks.settle(names);
  tell({ kind: 'settled', toxicDomains: settled.toxicDomains });
  let { reportId } = await nextOrder('more');
  for (const { bytes, share } of backlinkRows(pages, settled, reportId)) {
    port.postMessage({ kind: 'rows', bytes, share } satisfies FromThread, [bytes.buffer as ArrayBuffer]);
    ({ reportId } = await nextOrder('more'));
  }
  tell({ kind: 'rows', bytes: undefined, share: 1 });
}

async function nextOrder<K extends ToThread['kind']>(kind: K): Promise<Extract<ToThread, { kind: K }>> {
  const { value } = await orders.next();
  const order = value?.[0] as ToThread | undefined;
  if (order?.kind !== kind) throw new Error(`The reading thread was told '${order?.kind}' instead of '${kind}'.`);
  return order as Extract<ToThread, { kind: K }>;
}

function tell(message: FromThread): void {
  port.postMessage(message);
}
