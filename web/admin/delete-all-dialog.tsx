import { Alert, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { exportAll } from '#shared/admin.ts';
import { deleteAllCode, deleteAllDomains } from '#shared/domains.ts';
import { call, urlOf } from '../lib/api.ts';
import { Button, ButtonAnchor, type ButtonLook } from '../ui/button.tsx';
import { Refusal } from '../ui/dialogs.tsx';
import { toast } from '../ui/toast.tsx';
import { forgetBlacklist, freshStatsQuery } from './queries.ts';

const number = new Intl.NumberFormat('en-US');
const mismatch = `Please type exactly '${deleteAllCode}'`;

/** Empties the blacklist once the confirmation has been typed to the letter. */
export function DeleteAllDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
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
      toast({
        title: 'Domains deleted',
        description: `${number.format(count)} domains were deleted.`,
        tone: 'success',
      });
      await forgetBlacklist(queries);
    },
    onError: (failure) => toast({ title: 'Deletion Failed', description: failure.message, tone: 'destructive' }),
  });

  function submit(): void {
    if (typed === deleteAllCode) {
      remove.mutate();
      return;
    }
    setError(mismatch);
    toast({ title: 'Confirmation Failed', description: mismatch, tone: 'destructive' });
  }

  const total = stats.data?.total;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Delete All Domains"
      size="md"
      closeOnClickOutside={!remove.isPending}
      closeOnEscape={!remove.isPending}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap="md">
          <Text size="sm">
            {total === undefined ? (
              'All domains'
            ) : (
              <b>{total === 1 ? '1 domain' : `${number.format(total)} domains`}</b>
            )}{' '}
            will be deleted from the blacklist. This action cannot be undone.
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
          <Refusal error={remove.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close} disabled={remove.isPending}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={remove.isPending}>
              Delete All Domains
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Downloads the whole blacklist. The browser saves it as it comes: it may be larger than a page can hold. */
export function ExportAllButton({ size }: Pick<ButtonLook, 'size'>) {
  return (
    <ButtonAnchor
      href={urlOf(exportAll)}
      download
      variant="default"
      size={size}
      leftSection={<Download size={16} aria-hidden />}
      onClick={() =>
        toast({ title: 'Export Started', description: 'Your download begins in a moment.', tone: 'success' })
      }
    >
      Export All Data
    </ButtonAnchor>
  );
}
