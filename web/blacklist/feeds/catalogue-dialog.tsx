import { Modal } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount, plural } from '../../platform/format.ts';
import { Button } from '../../ui/button.tsx';
import { FocusedTitle } from '../../ui/dialogs.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import screen from '../../ui/screen.module.css';
import { toastSuccess } from '../../ui/toast.tsx';
import styles from './feeds.module.css';
import { CataloguePicker, FailedLists, subscribeToLists } from './feeds.tsx';
import { catalogueQuery, refreshFeeds } from './queries.ts';

interface CatalogueDialogProps {
  opened: boolean;
  onClose(): void;
  /** Opens the form for a list that is not in the catalogue. */
  onCustom(): void;
}

/** The catalogue of public lists, to subscribe to several at once. The selection stays until the lists are added. */
export function CatalogueDialog({ opened, onClose, onCustom }: CatalogueDialogProps) {
  const client = useQueryClient();
  const catalogue = useQuery({ ...catalogueQuery, enabled: opened });
  const entries = catalogue.data;
  const [selected, setSelected] = useState<string[]>([]);
  const chosen = (entries ?? []).filter(({ key, subscribed }) => selected.includes(key) && !subscribed);
  const add = useMutation({
    mutationFn: subscribeToLists,
    onSuccess: ({ added, failed }) => {
      setSelected(failed.map(({ entry }) => entry.key));
      if (added > 0) toastSuccess(`${plural(added, 'feed')} added`, 'Their downloads have started.');
      if (failed.length === 0) onClose();
    },
    onSettled: () => refreshFeeds(client),
  });
  const close = () => {
    add.reset();
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={<FocusedTitle>Add feeds</FocusedTitle>}
      size={720}
      closeOnClickOutside={!add.isPending && chosen.length === 0}
      closeOnEscape={!add.isPending}
    >
      {entries ? (
        <CataloguePicker
          entries={entries}
          selected={chosen.map(({ key }) => key)}
          onChange={(keys) => {
            setSelected(keys);
            add.reset();
          }}
          disabled={add.isPending}
        />
      ) : (
        <QueryState query={catalogue} height={420} />
      )}
      <div className={styles.dialogFooter}>
        <FailedLists failed={add.data?.failed ?? []} />
        <div className={styles.footerButtons}>
          <Button variant="subtle" onClick={onCustom} disabled={add.isPending}>
            Add another list…
          </Button>
          <span className={screen.actions}>
            <Button variant="default" onClick={close} disabled={add.isPending}>
              Cancel
            </Button>
            <Button onClick={() => add.mutate(chosen)} disabled={chosen.length === 0} loading={add.isPending}>
              {chosen.length < 2 ? 'Add feed' : `Add ${formatCount(chosen.length)} feeds`}
            </Button>
          </span>
        </div>
      </div>
    </Modal>
  );
}
