import { lazyPart } from '../../platform/load-part.ts';
import '../../ui/more-styles.ts';
import { Modal } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { bulkDeleteDomains, deleteDomain, restoreDomains } from '#shared/blacklist/domain-changes.ts';
import type { Domain } from '#shared/blacklist/domains.ts';
import { call } from '../../platform/api.ts';
import { restoreFocus } from '../../platform/focus.ts';
import { formatCount, plural } from '../../platform/format.ts';
import { withProof } from '../../platform/proof.ts';
import { useStepKeys } from '../../platform/step-keys.ts';
import styles from '../../ui/dialog-title.module.css';
import { ConfirmDialog, FocusedTitle, useLast } from '../../ui/dialogs.tsx';
import { PendingMarker } from '../../ui/states.tsx';
import { toastError, toastSuccess, toastUndoable } from '../../ui/toast.tsx';
import type { Import } from '../imports/imports.tsx';
import { DomainDetails } from './domain-details.tsx';
import { refreshDomains } from './domains.tsx';
import { AddDomain, EditDomain } from './edit-domain.tsx';
import { NameListForm } from './name-list/name-list-form.tsx';
import { domainQuery } from './queries.ts';
import type { DomainsScreen } from './search.ts';

const ImportDialog = lazyPart(() => import('../imports/import-dialog.tsx'), 'ImportDialog');

interface DomainDialogsProps {
  screen: DomainsScreen;
  /** The admin's import. Undefined for users who cannot change the blacklist. */
  importer: Import | undefined;
  /** The rows of the list, in which J and K go to the next and previous domain. */
  domains: Domain[];
  /** The domain, or the ids of the domains, to confirm the deletion of. */
  deleting: Domain | number[] | undefined;
  onDelete(domain: Domain): void;
  onCancelDelete(): void;
  onDeleted(): void;
}

const modalProps = { size: 'lg', classNames: { title: styles.title } };

/** The dialog in the URL, and the confirmation of a deletion. Loaded when the first dialog opens. */
export function DomainDialogs(props: DomainDialogsProps) {
  const { screen, importer, domains, deleting, onDelete, onCancelDelete, onDeleted } = props;
  const { close, search } = screen;
  const isAdmin = importer !== undefined;
  const id = useLast(search.domain);
  // A dialog that is open on its first render cannot return the focus to where it was.
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const dialog = isAdmin ? search.dialog : undefined;
  const remove = useDeleteDomains(onDeleted);
  const isOpen = {
    details: isReady && dialog === undefined && search.domain !== undefined,
    edit: isReady && dialog === 'edit' && search.domain !== undefined,
  };
  const hasStepped = useRef(false);
  useStepKeys(isOpen.details && deleting === undefined, (step) => {
    const index = domains.findIndex((domain) => domain.id === id);
    const next = index === -1 ? undefined : domains[index + step];
    if (!next) return;
    hasStepped.current = true;
    void screen.switchDialog({ domain: next.id });
    // The element that had the focus may be gone with the previous domain.
    document.querySelector<HTMLElement>('[role="dialog"] [data-autofocus]')?.focus();
  });
  useEffect(() => {
    if (isOpen.details || !hasStepped.current) return;
    // The dialog would return the focus to the domain that it was opened with.
    hasStepped.current = false;
    restoreFocus(() => document.querySelector<HTMLElement>(`[data-row="${id}"]`));
  }, [isOpen.details, id]);
  return (
    <>
      <Modal opened={isOpen.details} onClose={close} {...modalProps} title={<DomainTitle id={id} />}>
        {id !== undefined && (
          <DomainDetails
            key={id}
            id={id}
            isAdmin={isAdmin}
            onEdit={() => screen.open('edit', id)}
            onDelete={onDelete}
          />
        )}
      </Modal>
      <Modal opened={isReady && dialog === 'add'} onClose={close} {...modalProps} title="Add Domain">
        <AddDomain onClose={close} />
      </Modal>
      <Modal opened={isOpen.edit} onClose={close} {...modalProps} title="Edit Domain">
        {id !== undefined && <EditDomain key={id} id={id} onClose={close} />}
      </Modal>
      <Modal
        opened={isReady && dialog === 'import'}
        onClose={close}
        {...modalProps}
        title={<FocusedTitle>Import CSV</FocusedTitle>}
      >
        {importer && (
          <Suspense fallback={<PendingMarker />}>
            <ImportDialog importer={importer} onClose={close} />
          </Suspense>
        )}
      </Modal>
      <Modal opened={isReady && search.dialog === 'list'} onClose={close} {...modalProps} title="Check a list">
        <NameListForm screen={screen} />
      </Modal>
      <ConfirmDialog
        target={isReady ? deleting : undefined}
        onClose={onCancelDelete}
        action={remove}
        title={(target) => (Array.isArray(target) ? 'Delete selected domains' : 'Delete domain')}
        confirmLabel="Delete"
      >
        {(target) => (
          <>
            Are you sure you want to delete{' '}
            {Array.isArray(target) ? (
              `${formatCount(target.length)} selected domains`
            ) : (
              <strong data-mono>{target.domain}</strong>
            )}
            ? This action cannot be undone.
          </>
        )}
      </ConfirmDialog>
    </>
  );
}

function DomainTitle({ id }: { id: number | undefined }) {
  const { data } = useQuery({ ...domainQuery(id ?? 0, useQueryClient()), enabled: id !== undefined });
  return (
    <FocusedTitle>
      <bdi dir="ltr" aria-live="polite" data-mono={data !== undefined || undefined}>
        {data?.domain ?? 'Domain details'}
      </bdi>
    </FocusedTitle>
  );
}

/**
 * A mutation that deletes one domain, or the domains with these ids, and shows a toast with Undo. Calls `onDone` on
 * success.
 */
function useDeleteDomains(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (target: Domain | number[]): Promise<[title: string, description: string]> => {
      if (Array.isArray(target)) {
        const { count } = await withProof(() => call(bulkDeleteDomains, { body: { ids: target } }));
        return ['Domains deleted', `${plural(count, 'domain')} deleted.`];
      }
      await call(deleteDomain, { params: { id: target.id } });
      return ['Domain deleted', target.domain];
    },
    onSuccess: async ([title, description], target) => {
      toastUndoable(title, description, async () => {
        const { count } = await call(restoreDomains, {
          body: { ids: Array.isArray(target) ? target : [target.id] },
        });
        toastSuccess('Deletion undone', `${plural(count, 'domain')} restored.`);
        await refreshDomains(client);
      });
      onDone();
      await refreshDomains(client);
    },
    onError: (error, target) => {
      const title = Array.isArray(target) ? 'Failed to delete domains' : 'Failed to delete domain';
      toastError(title, error.message);
    },
  });
}
