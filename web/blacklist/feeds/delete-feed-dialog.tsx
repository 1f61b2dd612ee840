import { Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { deleteFeed, type Feed } from '#shared/blacklist/feeds.ts';
import { call } from '../../platform/api.ts';
import { restoreFocus } from '../../platform/focus.ts';
import { plural } from '../../platform/format.ts';
import { withProof } from '../../platform/proof.ts';
import { ConfirmDialog } from '../../ui/dialogs.tsx';
import { RadioGroup } from '../../ui/fields.tsx';
import { toastSuccess } from '../../ui/toast.tsx';
import { refreshDomains } from '../domains/domains.tsx';
import { refreshFeeds } from './queries.ts';

const choices = [
  {
    value: 'keep',
    label: 'Keep its listings',
    description: 'Its domains stay on the blacklist, but are no longer updated.',
  },
  {
    value: 'withdraw',
    label: 'Withdraw its listings',
    description: 'Domains that no other source lists leave the blacklist.',
  },
] as const;

interface DeleteFeedDialogProps {
  /** Undefined closes the dialog. */
  feed: Feed | undefined;
  onClose(): void;
  /** Leaves the screen of the feed, if it is open. */
  onDeleted?: (() => void) | undefined;
}

/** Called after the feeds are loaded again, because an empty list has another button. */
const focusAddButton = () => restoreFocus(() => document.querySelector<HTMLElement>('[data-add-feeds]'));

/** Confirms the deletion of a feed, and asks what happens to its listings. */
export function DeleteFeedDialog({ feed, onClose, onDeleted }: DeleteFeedDialogProps) {
  const client = useQueryClient();
  const [listings, setListings] = useState<'keep' | 'withdraw'>('keep');
  const close = () => {
    onClose();
    setListings('keep');
  };
  const remove = useMutation({
    mutationFn: ({ id }: Feed) => withProof(() => call(deleteFeed, { params: { id }, query: { listings } })),
    onSuccess: (_, { name, kind }) => {
      const text = listings === 'withdraw' && kind === 'block' ? 'Its listings are being withdrawn.' : undefined;
      toastSuccess('Feed deleted', text ? `${name}: ${text}` : name);
      close();
      onDeleted?.();
      void refreshDomains(client);
    },
    onSettled: () => refreshFeeds(client),
  });
  return (
    <ConfirmDialog
      target={feed}
      onClose={close}
      action={{ ...remove, mutate: (shown) => remove.mutate(shown, onDeleted ? {} : { onSuccess: focusAddButton }) }}
      title="Delete feed"
      confirmLabel={({ kind }) => (kind === 'block' && listings === 'withdraw' ? 'Delete and withdraw' : 'Delete feed')}
    >
      {({ name, kind, domains }) => (
        <Stack gap="sm">
          <Text size="sm">
            <strong>{name}</strong> is no longer downloaded.
            {kind === 'allow' && ` The ${plural(domains, 'domain')} of this list are no longer protected.`}
          </Text>
          {kind === 'block' && (
            <RadioGroup
              legend="What happens to the domains of this list?"
              options={choices}
              value={listings}
              onChange={setListings}
            />
          )}
        </Stack>
      )}
    </ConfirmDialog>
  );
}
