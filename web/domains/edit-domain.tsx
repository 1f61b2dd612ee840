import { Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type DomainInput, editDomain } from '#shared/domains.ts';
import { ApiError, call } from '../lib/api.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { toast } from '../ui/toast.tsx';
import { DomainForm } from './domain-form.tsx';
import { valuesOf } from './domain-form-values.ts';
import { refreshDomains } from './domains.tsx';
import { domainQuery } from './queries.ts';
import { problemOf, refusal } from './refusal.ts';

/** The inside of the 'Edit Domain' dialog. */
export function EditDomain({ id, onClose }: { id: number; onClose(): void }) {
  const client = useQueryClient();
  const { data: domain, error, refetch, isFetching, isPlaceholderData } = useQuery(domainQuery(id, client));
  const edit = useMutation({ mutationFn: (body: DomainInput) => call(editDomain, { params: { id }, body }) });

  const submit = async (input: DomainInput) => {
    try {
      const changed = await edit.mutateAsync(input);
      toast({ title: 'Domain updated', description: changed.domain, tone: 'success' });
      client.setQueryData(domainQuery(id, client).queryKey, changed);
      onClose();
      void refreshDomains(client);
      return undefined;
    } catch (problem) {
      const { message, fields } = refusal(problem);
      toast({ title: 'Failed to update domain', description: message, tone: 'destructive' });
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
