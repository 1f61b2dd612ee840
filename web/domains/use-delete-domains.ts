import { useMutation, useQueryClient } from '@tanstack/react-query';
import { bulkDeleteDomains, type Domain, deleteDomain } from '#shared/domains.ts';
import { call } from '../lib/api.ts';
import { plural } from '../lib/format-count.ts';
import { toast } from '../ui/toast.tsx';
import { refreshDomains } from './domains.tsx';

/** Deleting one domain, or the domains with these ids, with the toasts. `onDone` runs after a success. */
export function useDeleteDomains(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (what: Domain | number[]) => {
      if (Array.isArray(what)) {
        const { count } = await call(bulkDeleteDomains, { body: { ids: what } });
        return { title: 'Domains deleted', description: `${plural(count, 'domain')} deleted.` };
      }
      await call(deleteDomain, { params: { id: what.id } });
      return { title: 'Domain deleted', description: what.domain };
    },
    onSuccess: async (text) => {
      toast({ ...text, tone: 'success' });
      onDone();
      await refreshDomains(client);
    },
    onError: (error, what) => {
      const title = Array.isArray(what) ? 'Failed to delete domains' : 'Failed to delete domain';
      toast({ title, description: error.message, tone: 'destructive' });
    },
  });
}
