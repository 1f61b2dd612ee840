import { Text } from '@mantine/core';

/** Why a change was refused, above the buttons of a form or dialog. The toast that says so goes after a moment, this stays. */
export function Refusal({ error }: { error: { message: string } | null | undefined }) {
  if (!error) return null;
  return (
    <Text size="sm" c="var(--mantine-color-error)">
      {error.message || 'Something went wrong. Please try again.'}
    </Text>
  );
}
