import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiKey, deleteApiKey } from '#shared/api-keys.ts';
import { call } from '../lib/api.ts';
import { restoreFocus } from '../lib/focus.ts';
import { useUser } from '../session/session.tsx';
import { ConfirmDialog } from '../ui/dialogs.tsx';
import { toast } from '../ui/toast.tsx';
import { keyRowId } from './key-row-id.ts';
import { apiKeysQuery } from './queries.ts';

/** Deletes a key after a question: `ask` opens it, `dialog` is to be rendered. */
export function useDeleteKey({ id, name }: ApiKey) {
  const { id: userId } = useUser();
  const queries = useQueryClient();
  const [opened, dialog] = useDisclosure(false);
  const remove = useMutation({
    mutationFn: () => call(deleteApiKey, { params: { id } }),
    onSuccess: async () => {
      dialog.close();
      const neighbour = besides(queries.getQueryData(apiKeysQuery(userId).queryKey), id);
      toast({ title: 'API key deleted', description: `${name} no longer works.`, tone: 'success' });
      await queries.invalidateQueries({ queryKey: apiKeysQuery(userId).queryKey });
      restoreFocus(() =>
        neighbour === undefined
          ? document.querySelector<HTMLElement>('[role="tabpanel"] h2')
          : document.getElementById(keyRowId(neighbour)),
      );
    },
    onError: (error) => toast({ title: 'Error deleting API key', description: error.message, tone: 'destructive' }),
  });
  return {
    ask: dialog.open,
    isPending: remove.isPending,
    dialog: (
      <ConfirmDialog
        opened={opened}
        onClose={dialog.close}
        onConfirm={() => remove.mutate()}
        title="Delete API key"
        confirmLabel="Delete API key"
        busy={remove.isPending}
        error={remove.error}
      >
        <b>{name}</b> stops working at once, in every program that uses it. This action cannot be undone.
      </ConfirmDialog>
    ),
  };
}

/** The key after this one, or else the one before it. */
function besides(keys: ApiKey[] | undefined, id: number): number | undefined {
  const place = keys?.findIndex((key) => key.id === id) ?? -1;
  return (keys?.[place + 1] ?? keys?.[place - 1])?.id;
}
