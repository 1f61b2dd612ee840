import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { deleteFeed, type Feed } from '#shared/feeds.ts';
import { refreshDomains } from '../domains/domains.tsx';
import { call } from '../lib/api.ts';
import { restoreFocus } from '../lib/focus.ts';
import { plural } from '../lib/format.ts';
import { ConfirmDialog, useLast } from '../ui/dialogs.tsx';
import { toastSuccess } from '../ui/toast.tsx';
import styles from './feeds.module.css';
import { refreshFeeds } from './feeds.tsx';

const choices = [
  {
    value: 'keep',
    label: 'Keep its listings',
    text: 'Its domains stay on the blacklist, but are no longer updated.',
  },
  {
    value: 'withdraw',
    label: 'Withdraw its listings',
    text: 'Domains that no other source lists leave the blacklist.',
  },
] as const;

/** Confirms the deletion of a feed, and asks what happens to its listings. Undefined closes the dialog. */
export function DeleteFeedDialog({ feed, onClose }: { feed: Feed | undefined; onClose(): void }) {
  const client = useQueryClient();
  const shown = useLast(feed);
  const [listings, setListings] = useState<'keep' | 'withdraw'>('keep');
  const close = () => {
    onClose();
    setListings('keep');
  };
  const remove = useMutation({
    mutationFn: ({ id }: Feed) => call(deleteFeed, { params: { id }, query: { listings } }),
    onSuccess: (_, { name, kind }) => {
      const text = listings === 'withdraw' && kind === 'block' ? 'Its listings are being withdrawn.' : undefined;
      toastSuccess('Feed deleted', text ? `${name}: ${text}` : name);
      close();
      restoreFocus(() => document.querySelector<HTMLElement>('[data-add-feeds]'));
      void refreshDomains(client);
    },
    onSettled: () => refreshFeeds(client),
  });
  const isBlock = shown?.kind === 'block';
  return (
    <ConfirmDialog
      opened={feed !== undefined}
      onClose={close}
      onConfirm={() => shown && remove.mutate(shown)}
      title="Delete feed"
      confirmLabel={isBlock && listings === 'withdraw' ? 'Delete and withdraw' : 'Delete feed'}
      busy={remove.isPending}
      error={remove.error}
    >
      <Text size="sm">
        <strong>{shown?.name}</strong> is no longer downloaded.
        {shown?.kind === 'allow' && ` The ${plural(shown.domains, 'domain')} of this list are no longer protected.`}
      </Text>
      {isBlock && (
        <fieldset className={styles.choice}>
          <legend>What happens to its {plural(shown.domains, 'domain')}?</legend>
          {choices.map(({ value, label, text }) => (
            <label key={value}>
              <input
                type="radio"
                name="listings"
                checked={listings === value}
                onChange={() => setListings(value)}
                aria-labelledby={`listings-${value}`}
                aria-describedby={`listings-${value}-text`}
              />
              <span>
                <span id={`listings-${value}`}>{label}</span>
                <span id={`listings-${value}-text`} className={styles.choiceText}>
                  {text}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </ConfirmDialog>
  );
}
