import type { KeyHolder } from '../http/scope.ts';
import type { Settlement } from './store-usage.ts';

/** A key on a day, in this process. */
export interface Allowance {
  keyId: number;
  userId: number;
  day: string;
  /** Requests that this process may spend. */
  block: number;
  /** Spent, and not yet written down. */
  spent: number;
  /** Written down, by all processes, when last seen. */
  used: number;
  lastUsedAt: Date;
  /** While it is settled with the database nobody spends of it. */
  settling: Promise<unknown> | undefined;
  refused: Refused | undefined;
  waiting: number;
}

/** So much is not to be had until then, in milliseconds of `Date.now()`. */
export interface Refused {
  cost: number;
  left: number;
  /** Whether others may give back what is asked for, and too many wait for it already. */
  isCrowded: boolean;
  until: number;
}

const never = new Date(0);

export function newAllowance({ keyId, userId, used }: KeyHolder, day: string): Allowance {
  return {
    keyId,
    userId,
    day,
    block: 0,
    spent: 0,
    used,
    lastUsedAt: never,
    settling: undefined,
    refused: undefined,
    waiting: 0,
  };
}

export const nameOf = ({ keyId, day }: Pick<Allowance, 'keyId' | 'day'>) => `${keyId} ${day}`;

/** Whether there is something to write down or to give back. */
export const isDue = ({ spent, block }: Allowance) => spent !== 0 || block > 0;

/** What is said of it to the database, asking for `need` requests. */
export function settlementOf({ keyId, day, spent, block, lastUsedAt }: Allowance, need: number): Settlement {
  return { keyId, day, spent, returned: block, need, lastUsedAt };
}
