import { Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { changeMySubscription } from '#shared/newsletter.ts';
import { call } from '../lib/api.ts';
import { Checkbox } from '../ui/fields.tsx';
import { ErrorState } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';
import { AccountSection } from './account-section.tsx';
import { newsQuery } from './queries.ts';

/** Whether the person gets product news, which signing up has begun. */
export function ProductNews() {
  const queries = useQueryClient();
  const news = useQuery(newsQuery);
  const change = useMutation({
    mutationFn: (subscribed: boolean) => call(changeMySubscription, { body: { subscribed } }),
    onSuccess: (answer) => {
      queries.setQueryData(newsQuery.queryKey, answer);
      toast({
        title: answer.subscribed ? 'Subscribed' : 'Unsubscribed',
        description: answer.subscribed ? 'You get product news by email.' : 'You get no more product news.',
        tone: 'success',
      });
    },
    onError: (error) => toast({ title: 'Error', description: error.message, tone: 'destructive' }),
  });
  return (
    <AccountSection title="Product news" description="Rare letters about what is new here.">
      {news.isPending && <Skeleton height={24} maw={260} aria-hidden />}
      {news.isError && <ErrorState error={news.error} onRetry={() => void news.refetch()} />}
      {news.data && (
        <Checkbox
          label="Send me product news by email"
          checked={change.isPending ? change.variables : news.data.subscribed}
          disabled={change.isPending}
          onChange={(event) => change.mutate(event.currentTarget.checked)}
        />
      )}
    </AccountSection>
  );
}
