import { Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiKeyScope, apiKeyScopes } from '#shared/accounts/api-key-scopes.ts';
import { type ApiKey, reduceApiKey } from '#shared/accounts/api-keys.ts';
import { useUser } from '../../../accounts/sessions/session.tsx';
import { call } from '../../../platform/api.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/fields.tsx';
import { toastError } from '../../../ui/toast.tsx';
import { apiKeysQuery } from '../queries.ts';
import styles from './api-key.module.css';

const labels: Record<ApiKeyScope, string> = {
  check: 'Check domains',
  read: 'Read your websites, reports and decisions',
  write: 'Change them: add websites, upload, decide',
};

interface ScopesFieldProps {
  legend: string;
  choices?: readonly ApiKeyScope[];
  value: readonly ApiKeyScope[];
  onChange(value: ApiKeyScope[]): void;
  disabled: boolean;
  error?: string;
}

/** What a new key or an assistant may do. */
export function ScopesField({ legend, choices = apiKeyScopes, value, onChange, disabled, error }: ScopesFieldProps) {
  return (
    <fieldset className={styles.scopes} disabled={disabled}>
      <legend>{legend}</legend>
      {choices.map((scope) => (
        <Checkbox
          key={scope}
          label={labels[scope]}
          checked={value.includes(scope)}
          onChange={({ target }) =>
            onChange(apiKeyScopes.filter((one) => (one === scope ? target.checked : value.includes(one))))
          }
        />
      ))}
      {error && (
        <p role="alert" className={styles.scopeError}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** What a key can do. A key from before scopes asks its owner once whether it should do less. */
export function KeyScopes({ apiKey: { id, name, scopes, scopesChosen } }: { apiKey: ApiKey }) {
  const { queryKey } = apiKeysQuery(useUser().id);
  const queries = useQueryClient();
  const reduce = useMutation({
    mutationFn: (chosen: ApiKeyScope[]) => call(reduceApiKey, { params: { id }, body: { scopes: chosen } }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
    onError: (error) => toastError('Error changing API key', error.message),
  });
  const small = { size: 'xs', variant: 'default', disabled: reduce.isPending } as const;
  return (
    <div className={styles.keyScopes}>
      <p className={styles.lost}>Scopes: {scopes.join(', ')}</p>
      {!scopesChosen && (
        <>
          <p className={styles.lost}>
            This key is older than scopes, so it can check domains and read your websites and reports. If its program
            only checks domains, let the key do only that. To allow changes, create a new key.
          </p>
          <Group gap="xs">
            <Button {...small} aria-label={`Only check with ${name}`} onClick={() => reduce.mutate(['check'])}>
              Only check
            </Button>
            <Button {...small} aria-label={`Keep the scopes of ${name}`} onClick={() => reduce.mutate(scopes)}>
              Keep both
            </Button>
          </Group>
        </>
      )}
    </div>
  );
}
