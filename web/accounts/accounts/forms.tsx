import { TextInput, type TextInputProps } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import type * as z from 'zod/mini';
import { ApiError } from '../../platform/api.ts';
import { toastError } from '../../ui/toast.tsx';

/** A form that shows errors next to its fields and moves the focus to the first invalid field. */
export function useCheckedForm<Values extends Record<string, string>>(
  initialValues: Values,
  schema: z.ZodMiniType,
  /** Converts the form values to the input of the schema. */
  toInput: (values: Values) => Record<string, string> = (values) => values,
) {
  const check = schemaResolver(schema, { sync: true });
  const form = useForm({ initialValues, validate: (values) => check(toInput(values)) });
  const focusFirst = (errors: object) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus();
  return {
    form,
    /** The error that is about no field, for a `FormError` above the button. */
    formError: typeof form.errors.form === 'string' ? { message: form.errors.form } : null,
    focusFirst,
    /**
     * Shows the server's error messages next to the fields or as `formError`, and in a toast, which disappears.
     */
    showErrors: (
      error: Error,
      { title, description = error.message }: { title: string; description?: string },
      fields = error instanceof ApiError ? error.fields : {},
    ) => {
      const isAboutField = Object.keys(fields).length > 0;
      form.setErrors(isAboutField ? fields : { form: description });
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
