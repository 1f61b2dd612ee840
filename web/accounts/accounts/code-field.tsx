import { TextInput, type TextInputProps } from '@mantine/core';

/** A field for a one-time code of an authenticator app. Phones offer number keys and the code of a password manager. */
export function CodeField(props: TextInputProps) {
  return (
    <TextInput
      label="6-digit code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={12}
      spellCheck={false}
      data-mono
      {...props}
    />
  );
}

/** A field for a recovery code. */
export function RecoveryCodeField(props: TextInputProps) {
  return (
    <TextInput
      label="Recovery code"
      placeholder="XXXX-XXXX-XXXX-XXXX-XXXX-XXXX"
      autoComplete="off"
      autoCapitalize="characters"
      autoCorrect="off"
      maxLength={40}
      spellCheck={false}
      data-mono
      {...props}
    />
  );
}
