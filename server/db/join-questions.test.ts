import { expect, test } from 'vitest';
import { joinQuestions } from './join-questions.ts';

test('questions that get no answer fail in time, and those that waited behind them are asked', async () => {
  const asked: string[] = [];
  const ask = joinQuestions(async (keys: readonly string[]) => {
    asked.push(...keys);
    return keys.includes('answered') ? keys : new Promise<string[]>(() => undefined);
  }, 50);
  const codeOf = (question: Promise<string>) => question.catch(({ code }: { code: string }) => code);
  const lost = [codeOf(ask('lost'))];
  await expect.poll(() => asked).toEqual(['lost']);
  lost.push(codeOf(ask('lost too')));
  await expect.poll(() => asked).toEqual(['lost', 'lost too']);
  const waiting = ask('answered');
  expect(await Promise.all(lost)).toEqual(['08006', '08006']);
  expect(await waiting).toBe('answered');
});
