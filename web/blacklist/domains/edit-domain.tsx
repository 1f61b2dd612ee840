import { Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createDomain, type DomainInput, updateDomain } from '#shared/blacklist/domain-changes.ts';
import type { Domain } from '#shared/blacklist/domains.ts';
import { ApiError, call } from '../../platform/api.ts';
import { ConfirmDialog } from '../../ui/dialogs.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { DomainForm, toFormValues } from './domain-form.tsx';
import { refreshDomains } from './domains.tsx';
import { domainQuery } from './queries.ts';

/** The content of the 'Add Domain' dialog. */
export function AddDomain({ onClose }: { onClose(): void }) {
  const { form, confirm, existingId } = useSaveDomain({
    save: (body) => call(createDomain, { body }),
    successTitle: 'Domain added',
    errorTitle: 'Failed to add domain',
    onSaved: onClose,
  });
  return (
    <Stack gap="sm">
      <DomainForm {...form} initial={toFormValues()} submitLabel="Add Domain" onCancel={onClose} />
      <ConfirmProtected {...confirm} />
      {existingId !== undefined && (
        <TextLink to="." search={(before: object) => ({ ...before, dialog: undefined, domain: existingId })} size="sm">
          Open the existing domain
        </TextLink>
      )}
    </Stack>
  );
}

/** The content of the 'Edit Domain' dialog. */
export function EditDomain({ id, onClose }: { id: number; onClose(): void }) {
  const client = useQueryClient();
  const query = domainQuery(id, client);
  const details = useQuery(query);
  const { data: domain, error, isPlaceholderData } = details;
  const { form, confirm } = useSaveDomain({
    save: (body) => call(updateDomain, { params: { id }, body }),
    successTitle: 'Domain updated',
    errorTitle: 'Failed to update domain',
    onSaved: (changed) => {
      client.setQueryData(query.queryKey, changed);
      onClose();
    },
  });

  if (error instanceof ApiError && error.status === 404) {
    return <EmptyState title="Domain not found" description="It may have been deleted from the blacklist." />;
  }
  // The placeholder is a row of the list, which may be out of date. Edit the current values only.
  if (!domain || isPlaceholderData) return <QueryState query={details} height={520} />;
  return (
    <>
      <DomainForm {...form} initial={toFormValues(domain)} submitLabel="Save changes" onCancel={onClose} />
      <ConfirmProtected {...confirm} />
    </>
  );
}

/** Confirms listing a protected site, such as a well-known one. */
function ConfirmProtected(props: ReturnType<typeof useSaveDomain>['confirm']) {
  return (
    <ConfirmDialog title="List a protected site?" confirmLabel="Add to blacklist" {...props}>
      {({ reason }) => (
        <>
          {reason} If you list it, later imports of this exact name are not held for review, and an allow rule for this
          name is deleted.
        </>
      )}
    </ConfirmDialog>
  );
}

/** A site that is protected, and why. */
interface Unconfirmed {
  input: DomainInput;
  reason: string;
}

interface SaveOptions {
  save(input: DomainInput): Promise<Domain>;
  successTitle: string;
  errorTitle: string;
  onSaved(domain: Domain): void;
}

/** Saves the form and shows a toast. */
function useSaveDomain({ save, successTitle, errorTitle, onSaved }: SaveOptions) {
  const client = useQueryClient();
  const { mutateAsync, isPending, error: lastError } = useMutation({ mutationFn: save });
  const [unconfirmed, setUnconfirmed] = useState<Unconfirmed>();
  const error = lastError && !needsConfirmation(lastError) ? lastError : null;
  const onSubmit = async (input: DomainInput) => {
    try {
      const domain = await mutateAsync(input);
      setUnconfirmed(undefined);
      toastSuccess(successTitle, domain.domain);
      onSaved(domain);
      void refreshDomains(client);
      return undefined;
    } catch (problem) {
      if (needsConfirmation(problem)) {
        setUnconfirmed({ input: { ...input, confirmed: true }, reason: problem.message });
        return undefined;
      }
      const { message, fields } = parseError(problem);
      toastError(errorTitle, message);
      return fields;
    }
  };
  return {
    form: { onSubmit, isBusy: isPending, problem: error && getFormError(error) },
    confirm: {
      target: unconfirmed,
      action: {
        isPending,
        error,
        mutate: ({ input }: Unconfirmed) => void onSubmit(input),
      },
      onClose: () => setUnconfirmed(undefined),
    },
    /** The id of the existing domain, after a 409. */
    existingId: error ? parseError(error).existingId : undefined,
  };
}

const needsConfirmation = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'needs_confirmation';

/** The error message for the whole form; undefined if the error belongs to fields. */
function getFormError(error: unknown): { message: string } | undefined {
  const { message, fields } = parseError(error);
  return Object.keys(fields).length === 0 ? { message } : undefined;
}

/** Why saving failed: a message, messages by field, and the id of the existing domain after a 409. */
function parseError(error: unknown): { message: string; fields: Record<string, string>; existingId?: number } {
  if (!(error instanceof ApiError)) return { message: 'Please try again.', fields: {} };
  const { message, status, fields, body } = error;
  if (status !== 409) return { message, fields };
  const id = body.id ?? body.existingId;
  return { message, fields: { domain: message }, ...(typeof id === 'number' && { existingId: id }) };
}
