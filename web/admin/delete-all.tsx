import { Alert, Code, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { exportAll } from '#shared/admin.ts';
import { deleteAllCode, deleteAllDomains } from '#shared/domains.ts';
import { call, buildUrl } from '../lib/api.ts';
import { plural } from '../lib/format.ts';
import { Button, ButtonAnchor, type ButtonLook } from '../ui/button.tsx';
import { FormDialog, FormError } from '../ui/dialogs.tsx';
import { toastError, toastSuccess } from '../ui/toast.tsx';
import { PanelSection } from './panel-section.tsx';
import { forgetBlacklist, freshStatsQuery } from './queries.ts';

const mismatch = `Please type exactly '${deleteAllCode}'`;

/** Empties the blacklist once the confirmation has been typed to the letter. */
function DeleteAllDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const queries = useQueryClient();
  // Others may import meanwhile: the number is asked for when the dialog opens.
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
    mutationFn: () => call(deleteAllDomains, { body: { confirmationCode: deleteAllCode } }),
    onSuccess: async ({ count }) => {
      close();
      toastSuccess('Domains deleted', `${plural(count, 'domain')} ${count === 1 ? 'was' : 'were'} deleted.`);
      await forgetBlacklist(queries);
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
      title="Delete All Domains"
      submitLabel="Delete All Domains"
      busy={remove.isPending}
      destructive
    >
      <Text size="sm">
        {total === undefined ? 'All domains' : <b>{plural(total, 'domain')}</b>} will be deleted from the blacklist.
        This action cannot be undone.
      </Text>
      <Alert color="yellow" variant="light" title="Keep a copy first">
        <Text size="sm" mb="xs">
          The export holds every domain with all its columns; importing it fills the blacklist again.
        </Text>
        <ExportAllButton size="xs" />
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

/** The section with the button that deletes all domains. */
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

/** Downloads the whole blacklist. The browser saves it as it comes: it may be larger than a page can hold. */
export function ExportAllButton({ size }: Pick<ButtonLook, 'size'>) {
  return (
    <ButtonAnchor
      href={buildUrl(exportAll)}
      download
      variant="default"
      size={size}
      leftSection={<Download size={16} aria-hidden />}
      onClick={() => toastSuccess('Export Started', 'Your download begins in a moment.')}
    >
      Export All Data
    </ButtonAnchor>
  );
}
