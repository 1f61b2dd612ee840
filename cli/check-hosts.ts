import { bulkLimit } from '#shared/key-checks.ts';
import { type Answered, askPatiently, type Manner } from './ask-patiently.ts';
import type { Outcome, Server } from './ask-server.ts';
import { CannotFinish } from './stop.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/**
 * Checks hosts in their order, one call after the other, each as large as the key's day allows: a call that asks for more than
 * is left is refused whole.
 * @param left requests left today, where that is known
 * @param onVerdicts is called with the verdicts of each call, and waited for
 */
export async function checkHosts(
  server: Server,
  hosts: readonly string[],
  left: number | undefined,
  manner: Manner,
  onVerdicts: (verdicts: Verdict[]) => Promise<void> | void,
): Promise<void> {
  let size = sizeFor(left);
  let at = 0;
  /** One call, and smaller ones at once while the server says that fewer are left than it was asked for. */
  async function askNext() {
    for (;;) {
      const batch = hosts.slice(at, at + size);
      const outcome = await server.check(batch);
      if (outcome.kind !== 'too many') return withBatch(outcome, batch);
      const isSmaller = outcome.left !== undefined && outcome.left > 0 && outcome.left < batch.length;
      // After the wait there is a new day: as many as ever may be asked.
      size = isSmaller ? sizeFor(outcome.left) : bulkLimit;
      if (!isSmaller) return outcome;
    }
  }
  while (at < hosts.length) {
    const answer: Answered<{ verdicts: Verdict[] }> = await askPatiently(askNext, manner);
    await onVerdicts(answer.body.verdicts);
    at += answer.body.verdicts.length;
    size = sizeFor(answer.left);
  }
}

function sizeFor(left: number | undefined): number {
  return left === undefined || left === 0 ? bulkLimit : Math.min(bulkLimit, left);
}

function withBatch(
  outcome: Exclude<Awaited<ReturnType<Server['check']>>, { kind: 'too many' }>,
  batch: readonly string[],
): Outcome<{ verdicts: Verdict[] }> {
  if (outcome.kind !== 'answered') return outcome;
  const { results } = outcome.body;
  if (results.length !== batch.length) {
    throw new CannotFinish(
      `The server answered ${results.length} of ${batch.length} domains. Please tell its administrator.`,
    );
  }
  const verdicts = results.map((result, i) => verdictOf(batch[i] ?? '', result));
  return { kind: 'answered', body: { verdicts }, left: outcome.left };
}
