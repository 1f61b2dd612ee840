import { Badge, Group, Progress, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Copy, Eye, EyeOff, Trash2, Unplug } from 'lucide-react';
import { type ApiKey, deleteApiKey } from '#shared/accounts/api-keys.ts';
import { useUser } from '../../../accounts/sessions/session.tsx';
import { call } from '../../../platform/api.ts';
import { askForIdentity } from '../../../platform/proof.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { copyText } from '../../../ui/copy-button.tsx';
import { DateText } from '../../../ui/date-text.tsx';
import { formatRelative } from '../../../ui/relative-time.ts';
import { Row } from '../../../ui/row-list.tsx';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';
import { apiKeysQuery } from '../queries.ts';
import styles from './api-key.module.css';
import { KeyScopes } from './key-scopes.tsx';
import { RotateKey } from './rotate-key.tsx';

/** The element id of a key's row. */
export const keyRowId = (id: number): string => `api-key-${id}`;

/** The start of a key's value, which is shown until the user clicks Show. */
export const truncateKey = (value: string): string => `${value.slice(0, 10)}…`;

const small = { size: 'xs', variant: 'default' } as const;

/** A key expires soon in its last 7 days. */
const soonMs = 7 * 86_400_000;

/** An assistant that the user has connected, with its usage and a button to disconnect it. */
export function AssistantRow({ apiKey }: { apiKey: ApiKey }) {
  return (
    <Row
      id={keyRowId(apiKey.id)}
      tabIndex={-1}
      text={
        <>
          <Title order={3} size="h4">
            {apiKey.name}
          </Title>
          <code className={styles.value}>{apiKey.assistant?.host}</code>
          <KeyScopes apiKey={apiKey} />
        </>
      }
    >
      <DeleteKey apiKey={apiKey} />
      <ApiKeyUsage apiKey={apiKey} />
    </Row>
  );
}

/** A key with its value, its usage, and buttons to show, copy, rotate and delete it. */
export function ApiKeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { id, name, keyValue, isHidden } = apiKey;
  const [isShown, value] = useDisclosure(false);
  const queries = useQueryClient();
  const { queryKey } = apiKeysQuery(useUser().id);

  async function reveal(): Promise<void> {
    if (!(await askForIdentity())) return;
    value.open();
    await queries.invalidateQueries({ queryKey });
  }

  return (
    <Row
      id={keyRowId(id)}
      tabIndex={-1}
      text={
        <>
          <Group gap="4px 10px">
            <Title order={2} size="h4">
              {name}
            </Title>
            <ExpiryBadge apiKey={apiKey} />
          </Group>
          {isHidden ? (
            <p className={styles.lost}>Confirm your identity to show the value.</p>
          ) : keyValue === null ? (
            <p className={styles.lost}>
              This value can no longer be shown because the secret key of this server was changed. The key still works.
              If you need to see the value, create a new key.
            </p>
          ) : (
            <code className={styles.value}>{isShown ? keyValue : truncateKey(keyValue)}</code>
          )}
          <KeyScopes apiKey={apiKey} />
        </>
      }
    >
      <Group gap="xs">
        {isHidden && (
          <Button
            {...small}
            leftSection={<Eye size={14} aria-hidden />}
            aria-label={`Show ${name}`}
            onClick={() => void reveal()}
          >
            Show
          </Button>
        )}
        {keyValue !== null && (
          <>
            <Button
              {...small}
              leftSection={isShown ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
              aria-label={`${isShown ? 'Hide' : 'Show'} ${name}`}
              onClick={value.toggle}
            >
              {isShown ? 'Hide' : 'Show'}
            </Button>
            <Button
              {...small}
              leftSection={<Copy size={14} aria-hidden />}
              aria-label={`Copy ${name}`}
              onClick={() => void copyKey(name, keyValue)}
            >
              Copy
            </Button>
          </>
        )}
        <RotateKey apiKey={apiKey} onRotated={value.open} />
        <DeleteKey apiKey={apiKey} />
      </Group>
      <ApiKeyUsage apiKey={apiKey} />
    </Row>
  );
}

/** Marks a key that has expired or expires soon. */
function ExpiryBadge({ apiKey: { active, expiresAt } }: { apiKey: ApiKey }) {
  if (expiresAt === null || (active && Date.parse(expiresAt) - Date.now() > soonMs)) return null;
  return <Badge color={active ? 'yellow' : 'red'}>{active ? `Expires ${formatRelative(expiresAt)}` : 'Expired'}</Badge>;
}

async function copyKey(name: string, value: string): Promise<void> {
  if (await copyText(value)) toastSuccess('API key copied', `${name} is on your clipboard.`);
  else toastError('API key not copied', 'Please click Show and copy it manually.');
}

function DeleteKey({ apiKey: { id, name, assistant } }: { apiKey: ApiKey }) {
  const { queryKey } = apiKeysQuery(useUser().id);
  const queries = useQueryClient();
  return (
    <ConfirmButton
      {...(assistant
        ? { label: 'Disconnect', name: `Disconnect ${name}`, title: 'Disconnect assistant' }
        : { label: 'Delete', name: `Delete ${name}`, title: 'Delete API key' })}
      icon={assistant ? Unplug : Trash2}
      run={() => call(deleteApiKey, { params: { id } })}
      onDone={() => {
        toastSuccess(assistant ? 'Assistant disconnected' : 'API key deleted', `${name} no longer works.`);
        return queries.invalidateQueries({ queryKey });
      }}
      errorTitle={assistant ? 'Error disconnecting assistant' : 'Error deleting API key'}
      removesRow
    >
      <b>{name}</b> stops working immediately
      {assistant ? '. You can connect it again.' : ' in every program that uses it. This action cannot be undone.'}
    </ConfirmButton>
  );
}

function ApiKeyUsage({ apiKey }: { apiKey: ApiKey }) {
  const { name, active, dailyUsage, dailyLimit, lastUsed, lastAddress, createdAt, expiresAt, previousExpiresAt } =
    apiKey;
  const usage = `${dailyUsage} of ${dailyLimit} requests today`;
  return (
    <div className={styles.usage}>
      <Progress
        value={Math.min(100, (100 * dailyUsage) / dailyLimit)}
        size="sm"
        className={styles.bar}
        color={dailyUsage >= dailyLimit ? 'red' : 'brand'}
        aria-label={`${name}: ${usage}`}
      />
      <span>{usage}</span>
      <span>
        {lastUsed ? (
          <>
            Last used <DateText value={lastUsed} />
            {lastAddress && ` from ${lastAddress}`}
          </>
        ) : (
          'Never used'
        )}
      </span>
      <span>
        Created <DateText value={createdAt} />
      </span>
      {expiresAt && (
        <span>
          {active ? 'Expires' : 'Expired'} <DateText value={expiresAt} />
        </span>
      )}
      {previousExpiresAt && (
        <span>
          The earlier value works until <DateText value={previousExpiresAt} pattern="time" />
        </span>
      )}
    </div>
  );
}
