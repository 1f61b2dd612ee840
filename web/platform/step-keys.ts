import { areSingleKeysEnabled, isTyping, useKeydown } from './keys.ts';

/**
 * Calls `onStep` when J or K is pressed in a dialog, to show the next or previous record, unless the user is typing.
 */
export function useStepKeys(isActive: boolean, onStep: (step: 1 | -1) => void): void {
  useKeydown((event) => {
    const step = isActive ? stepOf(event) : 0;
    if (step === 0 || event.repeat || event.defaultPrevented || !areSingleKeysEnabled() || isTyping(event.target))
      return;
    onStep(step);
  });
}

/** 1 for J, -1 for K, and 0 for other keys. */
function stepOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): 1 | -1 | 0 {
  if (ctrlKey || metaKey || altKey) return 0;
  return key === 'j' ? 1 : key === 'k' ? -1 : 0;
}
