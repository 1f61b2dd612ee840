import { Button } from '@mantine/core';
import { RotateCw, TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import type { ApiError } from '../lib/api.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { toast } from '../ui/toast.tsx';

/** Stands in place of the list when the server refuses further searches. */
export function SearchLimit({ error, onRetry, isRetrying }: { error: ApiError; onRetry(): void; isRetrying: boolean }) {
  const { message: detail } = error.body;
  const description = typeof detail === 'string' ? detail : error.message;
  useEffect(() => {
    toast({ title: 'Search limit reached', description, tone: 'destructive' });
  }, [description]);
  return (
    <EmptyState title="Something went wrong" description={description} icon={TriangleAlert}>
      <Button variant="default" leftSection={<RotateCw size={15} aria-hidden />} onClick={onRetry} loading={isRetrying}>
        Try Again
      </Button>
    </EmptyState>
  );
}
