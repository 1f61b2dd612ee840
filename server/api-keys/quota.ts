import { setTimeout as wait } from 'node:timers/promises';
import { apiKeyLimits } from '#shared/api-keys.ts';
import type { Context } from '../context.ts';
import { joinQuestions } from '../db/join-questions.ts';
import { type HttpError, unauthorized } from '../http/errors.ts';
import type { KeyHolder } from '../http/scope.ts';
import { type Allowance, isDue, nameOf, newAllowance, type Refused, settlementOf } from './allowance.ts';
import { tooFewLeft, tooManyWaiting, utcDay } from './quota-day.ts';
import { type Settled, type Settlement, settleUsage } from './store-usage.ts';

/**
 * What the keys may spend, and have spent. Each process takes requests of a key's day in blocks and spends them in memory;
 * every second it writes down what it spent and gives the rest back. See docs/decisions/2026-11-21-quota-in-blocks.md.
 */
export interface Quota {
  /**
   * Does work that costs a key so many requests of its day; work that fails costs nothing. Throws 429 when fewer are left, and
   * nothing is spent then.
   */
  charge<T>(key: KeyHolder, cost: number, work: () => Promise<T>): Promise<T>;
  /** Requests that the key may still make today, as far as this process knows. */
  left(key: KeyHolder): number;
  /** Writes down what this process has spent until now, of one user's keys or of all. */
  flush(userId?: number): Promise<void>;
  /** Writes everything down for good. */
  close(): Promise<void>;
}

const limit = apiKeyLimits.requestsADay;
const second = 1000;
/** Longer than any process keeps what it took. */
const untilGivenBack = 1250;
/** Calls with one key that wait for what others give back; the next ones are refused at once. */
const mostWaiting = 100;
/** Milliseconds that a day counts as over: another may give back what failed, and what a killed process held is gone. */
const overFor = 10_000;

/** @param flushAfter milliseconds from a request to its writing down */
export function openQuota({ db, now, log }: Pick<Context, 'db' | 'now' | 'log'>, flushAfter = second): Quota {
  const allowances = new Map<string, Allowance>();
  const takeJoined = joinQuestions((settlements: readonly Settlement[]) => settleUsage(db, settlements, limit));
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const unwritten = (error: unknown) => log.error({ err: error }, 'the use of API keys could not be written down');

  async function charge<T>(key: KeyHolder, cost: number, work: () => Promise<T>): Promise<T> {
    const allowance = await spend(key, cost);
    try {
      return await work();
    } catch (error) {
      giveBack(allowance, cost);
      throw error;
    } finally {
      // By the time the answer says what is left, the allowance may have been written down and put away.
      key.used = allowance.used + allowance.spent;
    }
  }

  async function spend(key: KeyHolder, cost: number): Promise<Allowance> {
    for (let hasWaited = false; ; ) {
      const allowance = allowanceOf(key);
      if (allowance.settling) {
        await allowance.settling;
        continue;
      }
      if (allowance.block >= cost) return use(allowance, cost);
      const { refused } = allowance;
      const isKnown = refused && cost >= refused.cost && Date.now() < refused.until;
      // Those who have waited are not of the crowd any more.
      if (isKnown && !(refused.isCrowded && hasWaited)) throw refusal(refused, cost);
      const settled = await take(allowance, cost);
      if (!settled) throw unauthorized('This API key has been deleted. Please use another one.');
      if (settled.block > 0) return allowance;
      const { left } = settled;
      const isToCome = settled.isHeldElsewhere && !hasWaited;
      const isCrowded = isToCome && allowance.waiting >= mostWaiting;
      if (!isToCome || isCrowded) {
        const isOver = left === 0 && !isCrowded;
        allowance.refused = { cost, left, isCrowded, until: Date.now() + (isOver ? overFor : second) };
        throw refusal(allowance.refused, cost);
      }
      hasWaited = true;
      allowance.waiting += 1;
      await wait(untilGivenBack);
      allowance.waiting -= 1;
    }
  }

  function refusal({ left, isCrowded }: Refused, cost: number): HttpError {
    return isCrowded ? tooManyWaiting() : tooFewLeft(cost, left, now());
  }

  function use(allowance: Allowance, cost: number): Allowance {
    allowance.block -= cost;
    allowance.spent += cost;
    allowance.lastUsedAt = now();
    allowance.refused = undefined;
    schedule();
    return allowance;
  }

  /** It may have been written down and put away meanwhile. */
  function giveBack(spentOf: Allowance, cost: number): void {
    const allowance = allowances.get(nameOf(spentOf)) ?? spentOf;
    allowances.set(nameOf(allowance), allowance);
    allowance.block += cost;
    allowance.spent -= cost;
    allowance.refused = undefined;
    schedule();
  }

  /** Takes a block and spends of it at once, before those who wait for it. */
  async function take(allowance: Allowance, cost: number): Promise<Settled | undefined> {
    const settlement = settlementOf(allowance, cost);
    let settled: Settled | undefined;
    await settle(
      [allowance],
      async () => {
        settled = await takeJoined(settlement);
        return [settled];
      },
      cost,
    );
    return settled;
  }

  async function flush(userId?: number): Promise<void> {
    const wanted = () => [...allowances.values()].filter((one) => userId === undefined || one.userId === userId);
    await Promise.allSettled(wanted().map(({ settling }) => settling));
    const due = wanted().filter((one) => !one.settling && isDue(one));
    if (due.length > 0) {
      const settlements = due.map((one) => settlementOf(one, 0));
      await settle(due, () => settleUsage(db, settlements, limit));
    }
    const today = utcDay(now());
    for (const [name, one] of allowances) {
      const isRefused = one.refused && one.day === today && Date.now() < one.refused.until;
      if (!one.settling && !isDue(one) && !isRefused && one.waiting === 0) allowances.delete(name);
    }
  }

  /**
   * `ask` answers for each of the allowances, whose blocks go back. When it fails they count as used, and what was spent stays
   * to be written.
   */
  function settle(due: Allowance[], ask: () => Promise<(Settled | undefined)[]>, cost = 0): Promise<void> {
    const spent = due.map((one) => one.spent);
    for (const one of due) one.block = 0;
    const settling = ask()
      .then((answers) => {
        for (const [i, one] of due.entries()) {
          one.spent -= spent[i] ?? 0;
          one.used = answers[i]?.used ?? one.used;
          const block = answers[i]?.block ?? 0;
          one.block += block;
          if (block > 0) use(one, cost);
        }
      })
      .finally(() => {
        for (const one of due) one.settling = undefined;
      });
    for (const one of due) one.settling = settling;
    return settling;
  }

  function schedule(): void {
    if (timer || isClosed) return;
    timer = setTimeout(() => {
      timer = undefined;
      flush()
        .catch(unwritten)
        .finally(() => {
          if ([...allowances.values()].some(isDue)) schedule();
        });
    }, flushAfter);
  }

  function allowanceOf(key: KeyHolder): Allowance {
    const day = utcDay(now());
    const name = nameOf({ keyId: key.keyId, day });
    const allowance = allowances.get(name) ?? newAllowance(key, day);
    allowances.set(name, allowance);
    return allowance;
  }

  return {
    charge,
    flush,
    left(key) {
      const allowance = allowances.get(nameOf({ keyId: key.keyId, day: utcDay(now()) }));
      if (allowance?.refused && Date.now() < allowance.refused.until) return allowance.refused.left;
      return Math.max(0, limit - (allowance ? allowance.used + allowance.spent : key.used));
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await flush().catch(unwritten);
    },
  };
}
