import { TextInput, type TextInputProps } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import type * as z from 'zod/mini';
import { ApiError } from '../lib/api.ts';
import { toastError } from '../ui/toast.tsx';

/** A form that shows errors next to its fields and moves the focus to the first invalid field. */
export function useCheckedForm<Values extends Record<string, string>>(
  initialValues: Values,
  schema: z.ZodMiniType,
  /** Converts the form values to the input of the schema. */
  toInput: (values: Values) => Record<string, string> = (values) => values,
) {
  const check = schemaResolver(schema, { sync: true });
  const form = useForm({ initialValues, validate: (values) => check(toInput(values)) });
  const focusFirst = (errors: object) =>
    form.getInputNode([...Object.keys(errors), ...Object.keys(initialValues)][0] ?? '')?.focus();
  return {
    form,
    focusFirst,
    /**
     * Shows the server's error messages next to the fields, and a toast. A message that is about no field is shown below
     * the last one, because the toast disappears.
     */
    showErrors: (
      error: Error,
      { title, description = error.message }: { title: string; description?: string },
      fields = error instanceof ApiError ? error.fields : {},
    ) => {
      const isAboutField = Object.keys(fields).length > 0;
      form.setErrors(isAboutField ? fields : { [Object.keys(initialValues).at(-1) ?? '']: description });
      focusFirst(fields);
      toastError(title, description);
    },
  };
}

export function EmailField(props: TextInputProps) {
  return <TextInput label="Email" type="email" inputMode="email" autoComplete="email" size="md" {...props} />;
}

export function UsernameField(props: TextInputProps) {
  return (
    <TextInput
      label="Username"
      autoComplete="username"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      size="md"
      {...props}
    />
  );
}
