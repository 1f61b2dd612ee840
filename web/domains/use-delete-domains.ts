import { useMutation, useQueryClient } from '@tanstack/react-query';
import { bulkDeleteDomains, type Domain, deleteDomain } from '#shared/domains.ts';
import { call } from '../lib/api.ts';
import { toast } from '../ui/toast.tsx';
import { plural } from './display.ts';
import { refreshDomains } from './queries.ts';

/** Deleting one domain or several, with the toasts. `onDone` runs after a success. */
export function useDeleteDomains(onDone: () => void) {
  const client = useQueryClient();
  const one = useMutation({
    mutationFn: ({ id }: Domain) => call(deleteDomain, { params: { id } }),
    onSuccess: async (_, { domain }) => {
      toast({ title: 'Domain deleted', description: domain, tone: 'success' });
      onDone();
      await refreshDomains(client);
    },
    onError: (error) => {
      toast({ title: 'Failed to delete domain', description: error.message, tone: 'destructive' });
    },
  });
  const many = useMutation({
    mutationFn: (ids: number[]) => call(bulkDeleteDomains, { body: { ids } }),
    onSuccess: async ({ count }) => {
      toast({ title: 'Domains deleted', description: `${plural(count, 'domain')} deleted.`, tone: 'success' });
      onDone();
      await refreshDomains(client);
    },
    onError: (error) => {
      toast({ title: 'Failed to delete domains', description: error.message, tone: 'destructive' });
    },
  });
  return { one, many, isBusy: one.isPending || many.isPending, error: one.error ?? many.error };
}
