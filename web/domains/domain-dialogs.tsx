import { Modal } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Domain } from '#shared/domains.ts';
import { AddDomain } from './add-domain.tsx';
import { DomainDetails } from './domain-details.tsx';
import { EditDomain } from './edit-domain.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { domainQuery } from './queries.ts';
import type { DomainsScreen } from './use-domains-screen.ts';
import type { Import } from './use-import.ts';

interface DomainDialogsProps {
  screen: DomainsScreen;
  isAdmin: boolean;
  current: Import;
  onDelete(domain: Domain): void;
}

/** The dialog that the address names. */
export function DomainDialogs({ screen, isAdmin, current, onDelete }: DomainDialogsProps) {
  const { dialog } = screen.search;
  const id = useLast(screen.search.domain);
  const shown = isAdmin ? dialog : undefined;
  const { close } = screen;
  const isDetails = shown === undefined && screen.search.domain !== undefined;
  return (
    <>
      <Modal opened={isDetails} onClose={close} size="lg" title={<DomainTitle id={id} />}>
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
      <Modal opened={shown === 'add'} onClose={close} size="lg" title="Add Domain">
        <AddDomain onClose={close} />
      </Modal>
      <Modal
        opened={shown === 'edit' && screen.search.domain !== undefined}
        onClose={close}
        size="lg"
        title="Edit Domain"
      >
        {id !== undefined && <EditDomain key={id} id={id} onClose={close} />}
      </Modal>
      <Modal opened={shown === 'import'} onClose={close} size="lg" title="Import CSV">
        <ImportDialog current={current} onClose={close} />
      </Modal>
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
