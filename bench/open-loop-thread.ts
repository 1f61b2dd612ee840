import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { buildRequest, type LoadRequest } from './load-profile.ts';
import { type LoadOptions, type LoadResult, type LoadTimes, toKey } from './open-loop.ts';

// The thread of `startOpenLoop`.
if (!parentPort) throw new Error('open-loop-thread.ts only runs in a thread.');
const port = parentPort;
const { address, perSecond, profile } = workerData as LoadOptions;
const agent = new Agent({ keepAlive: true });
const times: LoadTimes = new Map();
const running = new Set<Promise<void>>();
const failures: string[] = [];
const start = performance.now();
let phase = '';
let sent = 0;
let refused = 0;

async function send({ kind, path, headers }: LoadRequest): Promise<void> {
  const key = toKey(phase, kind);
  const sentAt = performance.now();
  try {
    const status = await fetchStatus(address + path, headers);
    if (status === 503) refused += 1;
    else if (status !== 200) failures.push(`${path}: ${status}`);
  } catch (error) {
    failures.push(`${path}: ${error}`);
  }
  const list = times.get(key) ?? [];
  list.push(performance.now() - sentAt);
  times.set(key, list);
}

let timer = setTimeout(sendDue);
function sendDue(): void {
  for (; sent <= ((performance.now() - start) * perSecond) / 1000; sent++) {
    const request = send(buildRequest(profile, sent));
    running.add(request);
    void request.finally(() => running.delete(request));
  }
  timer = setTimeout(sendDue, Math.max(0, start + (sent * 1000) / perSecond - performance.now()));
}

port.on('message', async (message: { phase: string } | 'stop') => {
  if (message !== 'stop') {
    phase = message.phase;
    return;
  }
  clearTimeout(timer);
  await Promise.all(running);
  agent.destroy();
  if (failures.length > 0) {
    throw new Error(`${failures.length} of ${sent} requests failed: ${failures.slice(0, 3).join('; ')}`);
  }
  const result: LoadResult = { times, refused: (100 * refused) / sent };
  port.postMessage(result);
  port.close();
});

/** Resolves when the whole response has arrived. */
function fetchStatus(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
      response.on('error', reject);
    }).on('error', reject);
  });
}
