import '../ui/more-styles.ts';
import { Modal } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import type { Domain } from '#shared/domains.ts';
import { type Import, ImportDialog } from '../imports/imports.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { AddDomain } from './add-domain.tsx';
import { DeleteConfirm } from './delete-confirm.tsx';
import { DomainDetails } from './domain-details.tsx';
import styles from './domain-dialogs.module.css';
import { EditDomain } from './edit-domain.tsx';
import { domainQuery } from './queries.ts';
import { useDeleteDomains } from './use-delete-domains.ts';
import type { DomainsScreen } from './use-domains-screen.ts';

interface DomainDialogsProps {
  screen: DomainsScreen;
  /** The import of an admin, who alone changes the list. */
  current: Import | undefined;
  /** What a person wants to delete: one domain, or these ids. */
  deleting: Domain | number[] | undefined;
  onDelete(domain: Domain): void;
  onKeep(): void;
  /** Those are gone now. */
  onDeleted(): void;
}

const look = { size: 'lg', classNames: { title: styles.title } };

/** The dialog that the address names, and the question before a deletion. Loaded when the first one is opened. */
export function DomainDialogs(props: DomainDialogsProps) {
  const { screen, current, deleting, onDelete, onKeep, onDeleted } = props;
  const { close, search } = screen;
  const isAdmin = current !== undefined;
  const id = useLast(search.domain);
  // A dialog that is open from its first moment does not know what to give the focus back to.
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const shown = isAdmin ? search.dialog : undefined;
  const remove = useDeleteDomains(onDeleted);
  const isOpen = {
    details: isReady && shown === undefined && search.domain !== undefined,
    edit: isReady && shown === 'edit' && search.domain !== undefined,
  };
  return (
    <>
      <Modal opened={isOpen.details} onClose={close} {...look} title={<DomainTitle id={id} />}>
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
      <Modal opened={isReady && shown === 'add'} onClose={close} {...look} title="Add Domain">
        <AddDomain onClose={close} />
      </Modal>
      <Modal opened={isOpen.edit} onClose={close} {...look} title="Edit Domain">
        {id !== undefined && <EditDomain key={id} id={id} onClose={close} />}
      </Modal>
      <Modal opened={isReady && shown === 'import'} onClose={close} {...look} title="Import CSV">
        {current && (
          <Suspense fallback={<Waiting />}>
            <ImportDialog current={current} onClose={close} />
          </Suspense>
        )}
      </Modal>
      <DeleteConfirm
        what={!isReady ? undefined : Array.isArray(deleting) ? deleting.length : deleting}
        isBusy={remove.isPending}
        error={remove.error}
        onClose={onKeep}
        onConfirm={() => deleting && remove.mutate(deleting)}
      />
    </>
  );
}

function DomainTitle({ id }: { id: number | undefined }) {
  const { data } = useQuery({ ...domainQuery(id ?? 0, useQueryClient()), enabled: id !== undefined });
  return <bdi dir="ltr">{data?.domain ?? 'Domain details'}</bdi>;
}

/** A dialog keeps what it shows while it fades away. */
function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
