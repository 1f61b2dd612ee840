import { Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useId } from 'react';
import type { ApiKeyScope } from '#shared/accounts/api-key-scopes.ts';
import { type ApiKey, ApiKeyInput, apiKeyLimits, createApiKey, defaultKeyName } from '#shared/accounts/api-keys.ts';
import { checkDomainWithKey } from '#shared/checks/key-checks.ts';
import { apiKeyPlaceholder, curlSample, exampleDomains } from '#shared/checks/openapi-examples.ts';
import { useUser } from '../../../accounts/sessions/session.tsx';
import { paths } from '../../../paths.ts';
import { ApiError, call } from '../../../platform/api.ts';
import { restoreFocus } from '../../../platform/focus.ts';
import { ignoreEnterRepeat } from '../../../platform/keys.ts';
import { withProof } from '../../../platform/proof.ts';
import { useSingleFlight } from '../../../platform/use-single-flight.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { DateText } from '../../../ui/date-text.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { RowList } from '../../../ui/row-list.tsx';
import { TextLink } from '../../../ui/screen.tsx';
import { Section } from '../../../ui/section.tsx';
import { useOrigin } from '../../../ui/served.ts';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';
import { Hint } from '../../../ui/typography.ts';
import { apiKeysQuery } from '../queries.ts';
import styles from './api-key.module.css';
import { ApiKeyRow, AssistantRow, keyRowId, truncateKey } from './api-key-row.tsx';
import { type Expiry, ExpiryField, toExpiresAt, validateExpiry } from './expiry-field.tsx';
import { ScopesField } from './key-scopes.tsx';

export function ApiKeyTab() {
  const { id } = useUser();
  const keys = useQuery(apiKeysQuery(id));
  if (!keys.data) return <QueryState query={keys} height={260} title="Error loading API keys" />;
  const data = keys.data.filter(({ assistant }) => assistant === null);
  const assistants = keys.data.filter(({ assistant }) => assistant !== null);
  return (
    <Stack gap="md">
      <Section
        title="Create an API key"
        description={
          <>
            Use a key in your own programs. Each key allows {apiKeyLimits.requestsPerDay} requests per day, counted from
            00:00 UTC. Anyone with this key can act as you. Keep it secret.
          </>
        }
        aside={
          <Hint>
            {data.length} of {apiKeyLimits.maxKeys} keys
          </Hint>
        }
      >
        <ApiKeyForm isFull={data.length >= apiKeyLimits.maxKeys} />
      </Section>
      {data.length === 0 ? (
        <EmptyState
          icon={KeyRound}
          title="No API keys yet"
          description="Create your first key above. You can show and copy it at any time."
        />
      ) : (
        <RowList aria-label="API Keys">
          {data.map((key) => (
            <ApiKeyRow key={key.id} apiKey={key} />
          ))}
        </RowList>
      )}
      {assistants.length > 0 && (
        <Section title="Connected assistants" description="You have allowed these assistants to use your account.">
          <RowList aria-label="Connected assistants" isFramed={false}>
            {assistants.map((assistant) => (
              <AssistantRow key={assistant.id} apiKey={assistant} />
            ))}
          </RowList>
        </Section>
      )}
      <ApiKeyUse apiKey={data.find(({ active, keyValue }) => active && keyValue !== null)} />
    </Stack>
  );
}

interface Values {
  name: string;
  scopes: ApiKeyScope[];
  expiry: Expiry;
}

const noValues: Values = { name: '', scopes: ['check'], expiry: { choice: 'never', date: '' } };
const validateInput = schemaResolver(ApiKeyInput, { sync: true });

/** The form to create a key. @param isFull whether the user has reached the limit of keys */
function ApiKeyForm({ isFull }: { isFull: boolean }) {
  const { id: userId } = useUser();
  const queries = useQueryClient();
  const reason = useId();
  const form = useForm({
    initialValues: noValues,
    validate: (values) => ({
      ...validateInput({ name: values.name, scopes: values.scopes }),
      expiry: validateExpiry(values.expiry),
    }),
  });
  const create = useMutation({
    mutationFn: ({ name, scopes, expiry }: Values) =>
      withProof(() => call(createApiKey, { body: { userId, name, scopes, expiresAt: toExpiresAt(expiry) } })),
    onSuccess: async (key) => {
      form.reset();
      toastSuccess('API key created', `You can now copy ${key.name}.`);
      await queries.invalidateQueries({ queryKey: apiKeysQuery(userId).queryKey });
      const keys = queries.getQueryData(apiKeysQuery(userId).queryKey)?.filter(({ assistant }) => assistant === null);
      // Reaching the limit disables the form, which then loses the focus.
      if (keys && keys.length >= apiKeyLimits.maxKeys) restoreFocus(() => document.getElementById(keyRowId(key.id)));
    },
    onError: async (error) => {
      if (error instanceof ApiError) form.setErrors(error.fields);
      toastError('Error creating API key', error.message);
      await queries.invalidateQueries({ queryKey: apiKeysQuery(userId).queryKey });
    },
  });
  const press = useSingleFlight(create.mutate);
  return (
    <form
      noValidate
      onKeyDown={ignoreEnterRepeat}
      onSubmit={form.onSubmit(press, ({ name }) => form.getInputNode(name ? 'name' : 'expiry')?.focus())}
    >
      <div className={styles.form}>
        <TextInput
          label="Key name"
          placeholder={defaultKeyName}
          maxLength={apiKeyLimits.maxNameLength}
          autoComplete="off"
          disabled={isFull}
          className={styles.name}
          {...form.getInputProps('name')}
        />
        <ExpiryField label="Expires" disabled={isFull} {...form.getInputProps('expiry')} value={form.values.expiry} />
        <Button
          type="submit"
          disabled={isFull}
          loading={create.isPending}
          {...(isFull && { 'aria-describedby': reason })}
        >
          Create API Key
        </Button>
      </div>
      <ScopesField
        legend="The key can"
        value={form.values.scopes}
        onChange={(scopes) => form.setFieldValue('scopes', scopes)}
        disabled={isFull}
        {...(form.errors.scopes && { error: String(form.errors.scopes) })}
      />
      <FormError error={form.errors.name ? undefined : create.error} />
      {isFull && (
        <Hint id={reason} className={styles.full}>
          You have reached the limit of {apiKeyLimits.maxKeys} API keys. Delete one to create another.
        </Hint>
      )}
    </form>
  );
}

/** A sample request for a terminal, and a link to the documentation. */
function ApiKeyUse({ apiKey }: { apiKey: ApiKey | undefined }) {
  const origin = useOrigin();
  const sample = curlSample({
    url: `${origin}${checkDomainWithKey.path}`,
    query: { domain: exampleDomains.notListed },
  });
  const value = apiKey?.keyValue;
  return (
    <Section
      title="Use your key"
      description={
        value ? (
          <>
            Copy this into a terminal. The copied text contains the full value of <b>{apiKey.name}</b>.
          </>
        ) : (
          <>Replace {apiKeyPlaceholder} with your key to run this in a terminal.</>
        )
      }
    >
      <CodeBlock
        code={value ? sample.replace(apiKeyPlaceholder, truncateKey(value)) : sample}
        copied={value ? sample.replace(apiKeyPlaceholder, value) : sample}
        label="terminal example"
        wrap
      />
      <Text size="sm">
        <TextLink to={paths.apiDocs} underline="always">
          Read the API documentation
        </TextLink>{' '}
        for JavaScript, Python, bulk checks and errors. The daily count resets on{' '}
        <DateText value={nextUtcDay()} pattern="time" /> in your time zone.
      </Text>
    </Section>
  );
}

/** The next midnight in UTC, when the daily count resets, as ISO 8601. */
function nextUtcDay(): string {
  const midnight = new Date();
  midnight.setUTCHours(24, 0, 0, 0);
  return midnight.toISOString();
}
