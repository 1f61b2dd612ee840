import { Agent, get } from 'node:http';

export interface LoadRequest {
  kind: string;
  path: string;
  headers: Record<string, string>;
}

/** A load that continues until it is stopped. */
export interface OpenLoop {
  /** What happens beside the load now. Requests that are sent from now on count for it. */
  setPhase(phase: string): void;
  /** The milliseconds until each response of a kind was complete. */
  getTimes(phase: string, kind: string): number[];
  /**
   * Waits for the last responses. Throws an error if a request failed with another status than 503.
   * @returns the percentage of the requests that the server refused as busy
   */
  stop(): Promise<number>;
}

/**
 * Sends requests at a fixed rate, however long the responses take, so that a slow response delays no other request. The
 * rate of autocannon would not be steady: each of its connections sends all requests of a second at its start.
 */
export function startOpenLoop(address: string, perSecond: number, getRequest: (i: number) => LoadRequest): OpenLoop {
  const agent = new Agent({ keepAlive: true });
  const times = new Map<string, number[]>();
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
      const status = await fetchStatus(address + path, headers, agent);
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
      const request = send(getRequest(sent));
      running.add(request);
      void request.finally(() => running.delete(request));
    }
    timer = setTimeout(sendDue, Math.max(0, start + (sent * 1000) / perSecond - performance.now()));
  }

  return {
    setPhase(now) {
      phase = now;
    },
    getTimes: (of, kind) => times.get(toKey(of, kind)) ?? [],
    async stop() {
      clearTimeout(timer);
      await Promise.all(running);
      agent.destroy();
      if (failures.length > 0) {
        throw new Error(`${failures.length} of ${sent} requests failed: ${failures.slice(0, 3).join('; ')}`);
      }
      return (100 * refused) / sent;
    },
  };
}

const toKey = (phase: string, kind: string) => `${kind} beside ${phase}`;

/** Resolves when the whole response has arrived. */
function fetchStatus(url: string, headers: Record<string, string>, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
      response.on('error', reject);
    }).on('error', reject);
  });
}
