import { Skeleton, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addDomain, type DomainInput, editDomain } from '#shared/domains.ts';
import { ApiError, call } from '../lib/api.ts';
import { TextLink } from '../ui/screen.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { toastError, toastSuccess } from '../ui/toast.tsx';
import { DomainForm, emptyValues, valuesOf } from './domain-form.tsx';
import { refreshDomains } from './domains.tsx';
import { domainQuery } from './screen.ts';

/** The inside of the 'Add Domain' dialog. */
export function AddDomain({ onClose }: { onClose(): void }) {
  const client = useQueryClient();
  const [existing, setExisting] = useState<number>();
  const add = useMutation({ mutationFn: (body: DomainInput) => call(addDomain, { body }) });

  const submit = async (input: DomainInput) => {
    setExisting(undefined);
    try {
      const domain = await add.mutateAsync(input);
      toastSuccess('Domain added', domain.domain);
      onClose();
      void refreshDomains(client);
      return undefined;
    } catch (error) {
      const { message, fields, existingId } = refusal(error);
      toastError('Failed to add domain', message);
      setExisting(existingId);
      return fields;
    }
  };

  return (
    <Stack gap="sm">
      <DomainForm
        initial={emptyValues}
        submitLabel="Add Domain"
        isBusy={add.isPending}
        problem={add.error && problemOf(add.error)}
        onSubmit={submit}
        onCancel={onClose}
      />
      {existing !== undefined && (
        <TextLink to="." search={(before: object) => ({ ...before, dialog: undefined, domain: existing })} size="sm">
          Open the domain that is already listed
        </TextLink>
      )}
    </Stack>
  );
}

/** The inside of the 'Edit Domain' dialog. */
export function EditDomain({ id, onClose }: { id: number; onClose(): void }) {
  const client = useQueryClient();
  const { data: domain, error, refetch, isFetching, isPlaceholderData } = useQuery(domainQuery(id, client));
  const edit = useMutation({ mutationFn: (body: DomainInput) => call(editDomain, { params: { id }, body }) });

  const submit = async (input: DomainInput) => {
    try {
      const changed = await edit.mutateAsync(input);
      toastSuccess('Domain updated', changed.domain);
      client.setQueryData(domainQuery(id, client).queryKey, changed);
      onClose();
      void refreshDomains(client);
      return undefined;
    } catch (problem) {
      const { message, fields } = refusal(problem);
      toastError('Failed to update domain', message);
      return fields;
    }
  };

  if (error instanceof ApiError && error.status === 404) {
    return <EmptyState title="Domain not found" description="It may have been removed from the blacklist." />;
  }
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />;
  // A row of the list may be old: editing starts from what is true now.
  if (!domain || isPlaceholderData) return <Skeleton height={520} />;
  return (
    <DomainForm
      initial={valuesOf(domain)}
      submitLabel="Save changes"
      isBusy={edit.isPending}
      problem={edit.error && problemOf(edit.error)}
      onSubmit={submit}
      onCancel={onClose}
    />
  );
}

/** What the server says of no field in particular. */
function problemOf(error: unknown): { message: string } | undefined {
  const { message, fields } = refusal(error);
  return Object.keys(fields).length === 0 ? { message } : undefined;
}

/** Why the server did not take a domain: a sentence, sentences by field, and the id of the one that is in the way. */
function refusal(error: unknown): { message: string; fields: Record<string, string>; existingId?: number } {
  if (!(error instanceof ApiError)) return { message: 'Please try again.', fields: {} };
  const { message, status, fields, body } = error;
  if (status !== 409) return { message, fields };
  const id = body.id ?? body.existingId;
  return { message, fields: { domain: message }, ...(typeof id === 'number' && { existingId: id }) };
}
