import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

interface FairQueueOptions {
  /** Tasks that run at the same time. */
  maxRunning: number;
  /** Tasks of one key that run at the same time. */
  maxRunningPerKey: number;
  maxWaiting: number;
  maxWaitingPerKey: number;
  /** A task that has waited for longer is refused. */
  maxWaitMs: number;
  /** The error for a task that cannot wait. Callers would time out during a longer wait. */
  buildError(): Error;
}

/** Whose task it is. */
export interface Turn {
  /** An account or a client network. Keys take turns. */
  key: string;
  /** Tasks of a lower rank run first, and take the place of waiting ones of a higher rank. Default: 0. */
  rank?: number;
  /** A task whose signal has aborted does not run. */
  signal?: AbortSignal;
}

export interface FairQueue {
  /** Runs a task when it is its turn, and returns its result. @throws the error of the queue if it is full */
  run<T>(turn: Turn, task: () => Promise<T>): Promise<T>;
  countWaiting(): number;
}

interface Waiting {
  rank: number;
  start(): void;
  refuse(): void;
}

interface Lane {
  running: number;
  waiting: Waiting[];
}

/** Creates a queue in which a key with many tasks does not delay the others: each key in turn runs one. */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  // The order of the map is the order of the turns.
  const lanes = new Map<string, Lane>();
  let running = 0;
  let waiting = 0;

  function findNext(): [string, Lane] | undefined {
    let best: [string, Lane] | undefined;
    for (const entry of lanes) {
      const [, { running: own, waiting: tasks }] = entry;
      const isReady = tasks.length > 0 && own < options.maxRunningPerKey;
      if (isReady && (!best || getRank(entry[1]) < getRank(best[1]))) best = entry;
    }
    return best;
  }

  function startNext(): void {
    while (running < options.maxRunning) {
      const next = findNext();
      if (!next) return;
      const [key, lane] = next;
      lanes.delete(key);
      lanes.set(key, lane);
      lane.running += 1;
      running += 1;
      waiting -= 1;
      lane.waiting.shift()?.start();
    }
  }

  /** Refuses the newest waiting task of the highest rank above `rank`. @returns whether there is one */
  function makeRoom(rank: number): boolean {
    let worst: Lane | undefined;
    for (const lane of lanes.values()) {
      if (lane.waiting.length > 0 && getRank(lane) > rank && getRank(lane) >= getRank(worst)) worst = lane;
    }
    if (!worst) return false;
    waiting -= 1;
    worst.waiting.pop()?.refuse();
    return true;
  }

  return {
    countWaiting: () => waiting,

    async run({ key, rank = 0, signal }, task) {
      const lane = lanes.get(key) ?? { running: 0, waiting: [] };
      const isFull = waiting >= options.maxWaiting && !makeRoom(rank);
      if (isFull || lane.waiting.length >= options.maxWaitingPerKey) throw options.buildError();
      lanes.set(key, lane);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const own: Waiting = { rank, start: resolve, refuse: () => reject(options.buildError()) };
      lane.waiting.push(own);
      waiting += 1;
      const timer = setTimeout(() => {
        const position = lane.waiting.indexOf(own);
        // It has just been started.
        if (position < 0) return;
        lane.waiting.splice(position, 1);
        waiting -= 1;
        own.refuse();
      }, options.maxWaitMs);
      startNext();
      try {
        await promise;
      } catch (error) {
        if (lane.running + lane.waiting.length === 0) lanes.delete(key);
        throw error;
      } finally {
        clearTimeout(timer);
      }
      try {
        signal?.throwIfAborted();
        return await task();
      } finally {
        lane.running -= 1;
        running -= 1;
        if (lane.running + lane.waiting.length === 0) lanes.delete(key);
        startNext();
      }
    },
  };
}

/** The rank of a lane's next task. */
const getRank = (lane: Lane | undefined) => lane?.waiting[0]?.rank ?? Number.NEGATIVE_INFINITY;

/** The owner of the current work: an account, or the client network of a visitor. */
const currentOwner = new AsyncLocalStorage<(() => string) | undefined>();

/**
 * Runs work whose connections count for an owner, also in what it starts. The function is called for each connection,
 * because a request knows its account only after its session has been read.
 */
export function runForOwner<T>(getOwner: () => string, work: () => T): T {
  return currentOwner.run(getOwner, work);
}

/** Runs work that several owners share, such as a batch of their queries. It waits for no turn. */
export function runForAll<T>(work: () => T): T {
  return currentOwner.run(undefined, work);
}

/** PostgreSQL's code: a temporary error. */
const tooManyConnections = '53300';

interface FairConnect {
  /** Connects when it is the turn of the current owner. Its turn ends when the client is released. */
  connect(): Promise<pg.PoolClient>;
  /** Queries and transactions that wait for their turn. */
  countWaiting(): number;
}

/**
 * Lets owners take turns for the connections of a pool, however many requests each of them sends. An owner has up to
 * half of them. Work without an owner is the server's own: it takes the next free connection, and one is always left
 * for it.
 */
export function takeTurns(
  { max, maxWaitMs }: { max: number; maxWaitMs: number },
  connect: () => Promise<pg.PoolClient>,
): FairConnect {
  const queue = createFairQueue({
    maxRunning: max - 1,
    maxRunningPerKey: Math.max(2, Math.floor((max - 1) / 2)),
    maxWaiting: 5000,
    maxWaitingPerKey: 1000,
    maxWaitMs,
    buildError: () => Object.assign(new Error('No connection was free in time.'), { code: tooManyConnections }),
  });
  return {
    countWaiting: queue.countWaiting,
    connect() {
      const getOwner = currentOwner.getStore();
      if (!getOwner) return connect();
      return new Promise((resolve, reject) => {
        const hold = async () => {
          const client = await connect();
          const released = Promise.withResolvers<void>();
          const { release } = client;
          client.release = (error) => {
            release(error);
            released.resolve();
          };
          resolve(client);
          await released.promise;
        };
        queue.run({ key: getOwner() }, hold).catch(reject);
      });
    },
  };
}

type ConnectCallback = Parameters<pg.Pool['connect']>[0];

/** A pool whose connections are shared fairly, see `takeTurns`. */
export class FairPool extends pg.Pool {
  readonly #turns: FairConnect;

  constructor(config: pg.PoolConfig & { max: number; connectionTimeoutMillis: number }) {
    super(config);
    const options = { max: config.max, maxWaitMs: config.connectionTimeoutMillis };
    this.#turns = takeTurns(options, () => super.connect());
  }

  countWaitingForTurn(): number {
    return this.#turns.countWaiting();
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const connected = this.#turns.connect();
    if (!callback) return connected;
    connected.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }
}
