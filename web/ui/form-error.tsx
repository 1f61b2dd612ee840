import { Text, type TextProps } from '@mantine/core';

interface FormErrorProps extends Pick<TextProps, 'mt' | 'style'> {
  error: { message: string } | null | undefined;
}

/**
 * Why a change failed, above the buttons of a form or dialog, or next to a single button. Unlike a toast, it stays
 * visible. In a row of buttons, it has its own line.
 */
export function FormError({ error, ...look }: FormErrorProps) {
  if (!error) return null;
  return (
    <Text size="sm" c="var(--mantine-color-error)" w="100%" role="alert" {...look}>
      {error.message || 'Something went wrong. Please try again.'}
    </Text>
  );
}
