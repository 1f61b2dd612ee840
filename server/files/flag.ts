import { setTimeout as delay } from 'node:timers/promises';

/** A flag that one thread sets and another one reads. It is shared memory, so it can be part of a thread's task. */
export type Flag = SharedArrayBuffer;

/** `Atomics.waitAsync` would not keep a thread alive that waits for nothing else. */
const pollMs = 10;

export function createFlag(): Flag {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

export function setFlag(flag: Flag): void {
  Atomics.store(new Int32Array(flag), 0, 1);
}

export const isSet = (flag: Flag): boolean => Atomics.load(new Int32Array(flag), 0) === 1;

/** Waits until another thread has set the flag. */
export async function waitForFlag(flag: Flag): Promise<void> {
  while (!isSet(flag)) await delay(pollMs);
}
