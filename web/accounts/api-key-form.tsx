import { Text, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { ApiKeyInput, apiKeyLimits, createApiKey, usualKeyName } from '#shared/api-keys.ts';
import { ApiError, call } from '../lib/api.ts';
import { restoreFocus } from '../lib/focus.ts';
import { pressOnce } from '../lib/keys.ts';
import { useOnce } from '../lib/use-once.ts';
import { useUser } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import classes from './api-key.module.css';
import { keyRowId } from './key-row-id.ts';
import { apiKeysQuery } from './queries.ts';

/** Makes a key. `isFull`: the person has as many as one may have. */
export function ApiKeyForm({ isFull }: { isFull: boolean }) {
  const { id: userId } = useUser();
  const queries = useQueryClient();
  const reason = useId();
  const form = useForm({ initialValues: { name: '' }, validate: schemaResolver(ApiKeyInput, { sync: true }) });
  const create = useMutation({
    mutationFn: ({ name }: { name: string }) => call(createApiKey, { body: { userId, name } }),
    onSuccess: async (key) => {
      form.reset();
      toast({ title: 'API key created', description: `${key.name} is ready to be copied.`, tone: 'success' });
      await queries.invalidateQueries({ queryKey: apiKeysQuery(userId).queryKey });
      const keys = queries.getQueryData(apiKeysQuery(userId).queryKey);
      // After the last one the form is out of use.
      if (keys && keys.length >= apiKeyLimits.maxKeys) restoreFocus(() => document.getElementById(keyRowId(key.id)));
    },
    onError: async (error) => {
      if (error instanceof ApiError) form.setErrors(error.fields);
      toast({ title: 'Error creating API key', description: error.message, tone: 'destructive' });
      await queries.invalidateQueries({ queryKey: apiKeysQuery(userId).queryKey });
    },
  });
  const press = useOnce(create.mutate);
  return (
    <form noValidate onKeyDown={pressOnce} onSubmit={form.onSubmit(press, () => form.getInputNode('name')?.focus())}>
      <div className={classes.form}>
        <TextInput
          label="Name of the key"
          placeholder={usualKeyName}
          maxLength={apiKeyLimits.name}
          autoComplete="off"
          disabled={isFull}
          className={classes.name}
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <Button
          type="submit"
          disabled={isFull}
          loading={create.isPending}
          {...(isFull && { 'aria-describedby': reason })}
        >
          Create API Key
        </Button>
      </div>
      {isFull && (
        <Text id={reason} size="sm" c="dimmed" mt="xs">
          You have {apiKeyLimits.maxKeys} API keys, which is the most. Delete one to create another.
        </Text>
      )}
    </form>
  );
}
