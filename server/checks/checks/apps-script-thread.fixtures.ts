import { createHash, randomUUID } from 'node:crypto';
import vm from 'node:vm';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { FetchOptions, FetchResult, Run, RunResult, ThreadData } from './apps-script.fixtures.ts';

/**
 * Runs functions of an Apps Script file in a thread. Apps Script is synchronous, so the thread sleeps while the main
 * thread sends a request or waits. The fakes refuse what Google refuses.
 */
const { code, port, signal } = workerData as ThreadData;

function ask<Result>(question: object): Result {
  Atomics.store(signal, 0, 0);
  port.postMessage(question);
  Atomics.wait(signal, 0, 0);
  return receiveMessageOnPort(port)?.message;
}

const properties = new Map<string, string>();
const cache = new Map<string, string>();
let now = Date.now();

const documentProperties = {
  getProperties: () => Object.fromEntries(properties),
  setProperty: (key: string, value: unknown) => properties.set(key, String(value)),
  setProperties: (values: object) => {
    for (const [key, value] of Object.entries(values)) properties.set(key, String(value));
  },
};

const documentCache = {
  getAll: (keys: string[]) =>
    Object.fromEntries(keys.flatMap((key) => (cache.has(key) ? [[key, cache.get(key)]] : []))),
  putAll(values: Record<string, string>, seconds: number) {
    if (seconds > 21_600) throw new Error('Argument too large: expirationInSeconds');
    for (const [key, value] of Object.entries(values)) {
      if (key.length > 250) throw new Error('Argument too large: key');
      if (value.length > 100_000) throw new Error('Argument too large: value');
      cache.delete(key);
      cache.set(key, value);
    }
    // Google keeps 900 values when there are more than 1,000.
    if (cache.size > 1000) for (const key of [...cache.keys()].slice(0, -900)) cache.delete(key);
  },
};

function fetch(url: string, options: FetchOptions) {
  const result = ask<FetchResult>({ url, options });
  if ('problem' in result) throw new Error(result.problem);
  const { status, headers, body } = result;
  return { getResponseCode: () => status, getAllHeaders: () => headers, getContentText: () => body };
}

function createUi(replies: (string | null)[], shown: string[]) {
  const Button = { OK: 'OK', CANCEL: 'CANCEL' };
  const menu = {
    addItem(caption: string, name: string) {
      shown.push(`${caption}: ${name}`);
      return menu;
    },
    addToUi: () => undefined,
  };
  return {
    Button,
    ButtonSet: { OK_CANCEL: 'OK_CANCEL' },
    createMenu: () => menu,
    alert: (text: string) => shown.push(text),
    prompt(_title: string, text: string) {
      shown.push(text);
      const reply = replies.shift() ?? null;
      return {
        getSelectedButton: () => (reply === null ? Button.CANCEL : Button.OK),
        getResponseText: () => reply ?? '',
      };
    },
  };
}

/** Each run has new globals, as in Apps Script. Only properties and the cache remain. */
function run({ name, args, replies }: Run): RunResult {
  const shown: string[] = [];
  const ui = createUi(replies, shown);
  now = Math.max(now, Date.now());
  const context = vm.createContext({
    UrlFetchApp: { fetch },
    CacheService: { getDocumentCache: () => documentCache },
    PropertiesService: { getDocumentProperties: () => documentProperties },
    SpreadsheetApp: { getUi: () => ui },
    Utilities: {
      getUuid: randomUUID,
      DigestAlgorithm: { SHA_256: 'sha256' },
      Charset: { UTF_8: 'utf8' },
      computeDigest: (algorithm: string, text: string) => [...createHash(algorithm).update(text).digest()],
      base64Encode: (bytes: number[]) => Buffer.from(bytes).toString('base64'),
      sleep(ms: number) {
        now += ms;
        ask({ sleepMs: ms });
      },
    },
    currentTime: () => now,
  });
  try {
    vm.runInContext('Date.now = currentTime;', context);
    vm.runInContext(code, context);
    const value: unknown = context[name](...args);
    return { value: JSON.parse(JSON.stringify(value ?? null)), shown };
  } catch (error) {
    return { error: (error as Error).message, shown };
  }
}

parentPort?.on('message', (task: Run) => parentPort?.postMessage(run(task)));
