import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { createFairQueue } from './fair-queue.ts';

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
