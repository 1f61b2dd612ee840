import { Alert, Code, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { deleteAllCode, deleteAllDomains } from '#shared/blacklist/domain-changes.ts';
import { exportAllDomains } from '#shared/operations/admin.ts';
import { buildUrl, call } from '../../platform/api.ts';
import { plural } from '../../platform/format.ts';
import { withProof } from '../../platform/proof.ts';
import { Button, type ButtonLook } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialogs.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { ProvenDownload } from '../../ui/proven-download.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { PanelSection } from './panel-section.tsx';
import { freshStatsQuery, refreshAllData } from './queries.ts';

const mismatch = `Please type exactly '${deleteAllCode}'`;

/** Deletes all domains once the confirmation code is typed exactly. */
function DeleteAllDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const queries = useQueryClient();
  // Reload the count when the dialog opens: another admin may have imported domains.
  const stats = useQuery({ ...freshStatsQuery, enabled: opened });
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();

  function close(): void {
    setTyped('');
    setError(undefined);
    remove.reset();
    onClose();
  }

  const remove = useMutation({
    mutationFn: () => withProof(() => call(deleteAllDomains, { body: { confirmationCode: deleteAllCode } })),
    onSuccess: async ({ count }) => {
      close();
      toastSuccess('Domains deleted', `${plural(count, 'domain')} ${count === 1 ? 'was' : 'were'} deleted.`);
      await refreshAllData(queries);
    },
    onError: (failure) => toastError('Deletion Failed', failure.message),
  });

  function submit(): void {
    if (typed === deleteAllCode) {
      remove.mutate();
      return;
    }
    setError(mismatch);
    toastError('Confirmation Failed', mismatch);
  }

  const total = stats.data?.total;
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      onSubmit={submit}
      title="Delete all domains"
      submitLabel="Delete all domains"
      busy={remove.isPending}
      destructive
    >
      <Text size="sm">
        {total === undefined ? 'All domains' : <b>{plural(total, 'domain')}</b>} will be deleted from the blacklist.
        This action cannot be undone.
      </Text>
      <Alert color="yellow" title="Export a copy first">
        <Stack gap="xs" align="flex-start">
          <Text size="sm">
            The export contains every domain with all its columns. Import it to restore the blacklist.
          </Text>
          <ExportAllButton size="xs" />
        </Stack>
      </Alert>
      <TextInput
        label={
          <>
            Type <Code>{deleteAllCode}</Code> to confirm
          </>
        }
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setError(undefined);
        }}
        error={error}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        disabled={remove.isPending}
      />
      <FormError error={remove.error} />
    </FormDialog>
  );
}

/** A section with a button that opens the dialog to delete all domains. */
export function DeleteAllSection({ title, description }: { title: string; description: string }) {
  const [opened, dialog] = useDisclosure(false);
  return (
    <PanelSection danger title={title} description={description}>
      <Button color="red" onClick={dialog.open}>
        {title}
      </Button>
      <DeleteAllDialog opened={opened} onClose={dialog.close} />
    </PanelSection>
  );
}

/** Downloads the whole blacklist. A plain link lets the browser stream the file to disk, whatever its size. */
export function ExportAllButton({ size }: Pick<ButtonLook, 'size'>) {
  return (
    <ProvenDownload
      href={buildUrl(exportAllDomains)}
      size={size}
      leftSection={<Download size={16} aria-hidden />}
      onStart={() => toastSuccess('Export Started', 'Your download will start shortly.')}
    >
      Export All Data
    </ProvenDownload>
  );
}
