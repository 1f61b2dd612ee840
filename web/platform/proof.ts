import { useSyncExternalStore } from 'react';
import { ApiError } from './api.ts';

/** Closes the open dialog with its result: whether the user has confirmed their identity. */
type Answer = (isConfirmed: boolean) => void;

let answer: Answer | undefined;
const listeners = new Set<() => void>();

function setAnswer(next: Answer | undefined): void {
  answer = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the dialog that asks for a proof of identity. @returns whether the user has confirmed their identity */
export const askForIdentity = (): Promise<boolean> =>
  new Promise((resolve) => {
    answer?.(false);
    setAnswer(resolve);
  });

/** Sends a request. If the server first needs a proof of identity, asks the user for it and sends the request again. */
export async function withProof<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    const isMissing = error instanceof ApiError && error.code === 'reauthentication_required';
    if (!isMissing || !(await askForIdentity())) throw error;
    return await send();
  }
}

/** Whether the dialog that asks for a proof of identity is open. */
export const useIsProofAsked = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => answer !== undefined,
    () => false,
  );

/** Closes the dialog with its result. */
export function answerProof(isConfirmed: boolean): void {
  answer?.(isConfirmed);
  setAnswer(undefined);
}
