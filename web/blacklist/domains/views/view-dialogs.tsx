import '../../../ui/more-styles.ts';
import { Modal, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { createView, deleteView, maxViewNameLength, updateView } from '#shared/blacklist/saved-view-changes.ts';
import type { SavedView } from '#shared/blacklist/saved-views.ts';
import { ApiError, call } from '../../../platform/api.ts';
import { Button } from '../../../ui/button.tsx';
import { FocusedTitle, FormDialog } from '../../../ui/dialogs.tsx';
import { Checkbox } from '../../../ui/fields.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';
import { type DomainsScreen, toListQuery } from '../search.ts';
import { viewsQuery } from './default-view.ts';
import styles from './views-menu.module.css';

interface SaveViewProps {
  opened: boolean;
  onClose(): void;
  views: readonly SavedView[];
  screen: DomainsScreen;
  isAdmin: boolean;
}

/** Saves the current filters and sort under a name. The name of an existing view overwrites it. */
export function SaveView({ opened, onClose, views, screen, isAdmin }: SaveViewProps) {
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const existing = views.find((view) => view.name.toLowerCase() === name.toLowerCase());
  const save = useMutation({
    mutationFn: () => {
      const { page: _, pageSize: __, ...filter } = toListQuery(screen.search, isAdmin);
      // Without a chosen sort, the view keeps following the default.
      const query = { ...filter, sort: screen.search.sort };
      return existing
        ? call(updateView, { params: { id: existing.id }, body: { query } })
        : call(createView, { body: { name, query } });
    },
    onSuccess: async (view) => {
      toastSuccess('View saved', view.name);
      close();
      await client.invalidateQueries(viewsQuery);
    },
  });
  const close = () => {
    setTyped('');
    save.reset();
    onClose();
  };
  return (
    <FormDialog
      opened={opened}
      // The result of a running save is shown here.
      onClose={() => save.isPending || close()}
      onSubmit={() => save.mutate()}
      title="Save view"
      submitLabel={existing ? 'Overwrite' : 'Save'}
      busy={save.isPending}
      invalid={name === ''}
    >
      <Text size="sm">
        A view contains the search, the filters and the sort
        {screen.search.list !== undefined && ', but not the pasted list'}.
      </Text>
      <TextInput
        label="Name"
        value={typed}
        maxLength={maxViewNameLength}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        description={existing && `This replaces your view ${existing.name}.`}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data-autofocus
      />
      <FormError error={save.error} />
    </FormDialog>
  );
}

interface ManageViewsProps {
  opened: boolean;
  onClose(): void;
  views: readonly SavedView[];
}

/** Renames and deletes views, and chooses the one that the blacklist opens with. */
export function ManageViews({ opened, onClose, views }: ManageViewsProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={<FocusedTitle>Manage views</FocusedTitle>} size="lg">
      <Text size="sm">
        {views.length === 0 ? 'You have no saved views.' : 'The blacklist opens with your default view.'}
      </Text>
      <ul className={styles.views} aria-label="Saved views">
        {views.map((view) => (
          <ViewRow key={view.id} view={view} />
        ))}
      </ul>
    </Modal>
  );
}

function ViewRow({ view }: { view: SavedView }) {
  const { id, name, isDefault } = view;
  const client = useQueryClient();
  const [mode, setMode] = useState<'rename' | 'delete'>();
  // The button of the last mode gets the focus back.
  const [lastMode, setLastMode] = useState(mode);
  const update = useMutation({
    mutationFn: (body: { name?: string; isDefault?: boolean }) => call(updateView, { params: { id }, body }),
    onSuccess: async () => {
      await client.invalidateQueries(viewsQuery);
    },
  });
  const remove = useMutation({
    mutationFn: () => call(deleteView, { params: { id } }),
    onSuccess: async () => {
      await client.invalidateQueries(viewsQuery);
      // This row disappears, so the focus moves to the title.
      document.querySelector<HTMLElement>('[role="dialog"] [data-autofocus]')?.focus();
    },
  });
  const open = (next: 'rename' | 'delete') => {
    setMode(next);
    setLastMode(next);
    update.reset();
  };
  const cancel = () => {
    setMode(undefined);
    update.reset();
    remove.reset();
  };

  if (mode === 'rename') {
    return (
      <li>
        <RenameForm
          view={view}
          isPending={update.isPending}
          error={update.error}
          // Not for a change of the default, which may end later.
          onRename={(name) => update.mutate({ name }, { onSuccess: cancel })}
          onCancel={cancel}
        />
      </li>
    );
  }
  return (
    <li>
      <span className={styles.title} dir="auto">
        {mode === 'delete' ? (
          <>
            Delete <strong>{name}</strong>?
          </>
        ) : (
          name
        )}
      </span>
      {/* Renders other buttons in each mode, so that autoFocus applies. */}
      <span key={mode} className={styles.actions}>
        {mode === 'delete' ? (
          <>
            <Button size="xs" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
              Delete
            </Button>
            <Button size="xs" variant="default" onClick={cancel} autoFocus>
              Cancel
            </Button>
          </>
        ) : (
          <>
            <Checkbox
              label="Default"
              aria-label={`Default: ${name}`}
              checked={update.isPending ? (update.variables.isDefault ?? isDefault) : isDefault}
              onChange={() => update.mutate({ isDefault: !isDefault })}
            />
            <Button
              size="xs"
              variant="default"
              aria-label={`Rename ${name}`}
              onClick={() => open('rename')}
              autoFocus={lastMode === 'rename'}
            >
              Rename
            </Button>
            <Button
              size="xs"
              variant="default"
              aria-label={`Delete ${name}`}
              onClick={() => open('delete')}
              autoFocus={lastMode === 'delete'}
            >
              Delete
            </Button>
          </>
        )}
      </span>
      <FormError error={remove.error ?? update.error} />
    </li>
  );
}

interface RenameFormProps {
  view: SavedView;
  isPending: boolean;
  error: Error | null;
  onRename(name: string): void;
  onCancel(): void;
}

function RenameForm({ view, isPending, error, onRename, onCancel }: RenameFormProps) {
  const [name, setName] = useState(view.name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '' && !isPending) onRename(name);
  };
  return (
    <form onSubmit={submit} className={styles.rename}>
      <TextInput
        className={styles.title}
        aria-label={`New name of ${view.name}`}
        value={name}
        maxLength={maxViewNameLength}
        error={error && ((error instanceof ApiError && error.fields.name) || error.message)}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="off"
        autoFocus
      />
      <span className={styles.actions}>
        <Button size="xs" type="submit" loading={isPending}>
          Save
        </Button>
        <Button size="xs" variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </span>
    </form>
  );
}
