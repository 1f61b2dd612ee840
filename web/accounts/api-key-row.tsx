import { Group, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Copy, Eye, EyeOff, Trash2 } from 'lucide-react';
import type { ApiKey } from '#shared/api-keys.ts';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy-button.tsx';
import rows from '../ui/row-list.module.css';
import { toast } from '../ui/toast.tsx';
import classes from './account-list.module.css';
import styles from './api-key.module.css';
import { ApiKeyUsage } from './api-key-usage.tsx';
import { cutKey } from './cut-key.ts';
import { keyRowId } from './key-row-id.ts';
import { useDeleteKey } from './use-delete-key.tsx';

/** One key: its value, cut until it is asked for, its use, and what can be done with it. */
export function ApiKeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { id, name, keyValue } = apiKey;
  const [isShown, value] = useDisclosure(false);
  const remove = useDeleteKey(apiKey);
  return (
    <li className={`${rows.row} ${classes.row}`} id={keyRowId(id)} tabIndex={-1}>
      <div className={classes.words}>
        <Title order={2} size="h4">
          {name}
        </Title>
        {keyValue === null ? (
          <p className={styles.lost}>
            The value can not be shown any more, because the secret key of this server was changed. It still works; for
            a value that you can see, create another one.
          </p>
        ) : (
          <code className={styles.value}>{isShown ? keyValue : cutKey(keyValue)}</code>
        )}
      </div>
      <Group gap="xs">
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
              onClick={() => void copyKey(apiKey.name, keyValue)}
            >
              Copy
            </Button>
          </>
        )}
        <Button
          {...small}
          leftSection={<Trash2 size={14} aria-hidden />}
          aria-label={`Delete ${name}`}
          loading={remove.isPending}
          onClick={remove.ask}
        >
          Delete
        </Button>
      </Group>
      <ApiKeyUsage apiKey={apiKey} />
      {remove.dialog}
    </li>
  );
}

const small = { size: 'xs', variant: 'default' } as const;

async function copyKey(name: string, value: string): Promise<void> {
  if (await copyText(value))
    toast({ title: 'API key copied', description: `${name} is on your clipboard.`, tone: 'success' });
  else toast({ title: 'API key not copied', description: 'Please show it and copy it by hand.', tone: 'destructive' });
}
