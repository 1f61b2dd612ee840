import { Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { maxSourceLength } from '#shared/blacklist/domains.ts';
import { mergeSource, type Source, type SourceKind, updateSource } from '#shared/blacklist/sources.ts';
import { ApiError, call } from '../../platform/api.ts';
import { plural } from '../../platform/format.ts';
import { ConfirmDialog, FormDialog } from '../../ui/dialogs.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { toastSuccess } from '../../ui/toast.tsx';
import { kindMeanings } from './kinds.ts';
import { kindLabels } from './listings.tsx';
import { refreshSources } from './queries.ts';
import { SourceSelect } from './source-select.tsx';

/** A change of one source that is confirmed before it applies. */
export interface Change {
  source: Source;
  kind?: SourceKind;
  isPublic?: boolean;
}

/** Confirms a new kind, or who sees the name of a source. */
export function ChangeDialog({ change, onClose }: { change: Change | undefined; onClose(): void }) {
  const queries = useQueryClient();
  const apply = useMutation({
    mutationFn: ({ source, ...body }: Change) => call(updateSource, { params: { id: source.id }, body }),
    onSuccess: ({ name, kind, isPublic }, { kind: newKind }) => {
      onClose();
      if (newKind) toastSuccess('Kind changed', `The kind of ${name} is now ${kindLabels[kind]}.`);
      else
        toastSuccess(
          'Source changed',
          isPublic ? `Everyone sees the name ${name}.` : `Only admins see the name ${name}.`,
        );
    },
    onSettled: () => refreshSources(queries),
  });
  return (
    <ConfirmDialog
      target={change}
      onClose={onClose}
      action={apply}
      title={({ kind, isPublic }) => (kind ? 'Change kind' : isPublic ? 'Make source public' : 'Make source private')}
      destructive={false}
    >
      {({ source, kind, isPublic }) =>
        kind ? (
          <>
            The kind of <b>{source.name}</b> changes to <b>{kindLabels[kind]}</b>. {kindMeanings[kind]} The confidence
            of {plural(source.domains, 'domain')} is updated in the background.
          </>
        ) : (
          <>
            {isPublic ? 'Everyone' : 'Only admins'} will see the name <b>{source.name}</b> and the notes of its
            listings.
          </>
        )
      }
    </ConfirmDialog>
  );
}

interface SourceDialogProps {
  source: Source | undefined;
  onClose(): void;
}

/** Renames a source. */
export function RenameDialog({ source, onClose }: SourceDialogProps) {
  return source && <RenameForm key={source.id} source={source} onClose={onClose} />;
}

function RenameForm({ source, onClose }: { source: Source; onClose(): void }) {
  const queries = useQueryClient();
  const [name, setName] = useState(source.name);
  const rename = useMutation({
    mutationFn: () => call(updateSource, { params: { id: source.id }, body: { name } }),
    onSuccess: (renamed) => {
      onClose();
      toastSuccess('Source renamed', `${source.name} is now ${renamed.name}.`);
    },
    onSettled: () => refreshSources(queries),
  });
  return (
    <FormDialog
      opened
      onClose={onClose}
      onSubmit={() => rename.mutate()}
      title="Rename source"
      submitLabel="Rename"
      busy={rename.isPending}
      invalid={name.trim() === '' || name.trim() === source.name}
    >
      <TextInput
        label="Name"
        description="Imported files can still use the old name."
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
          rename.reset();
        }}
        error={rename.error instanceof ApiError ? (rename.error.fields.name ?? rename.error.message) : undefined}
        maxLength={maxSourceLength}
        autoComplete="off"
        data-autofocus
      />
      <Text size="sm">The new name replaces the old one in {plural(source.domains, 'domain')}, in the background.</Text>
      {!(rename.error instanceof ApiError) && <FormError error={rename.error} />}
    </FormDialog>
  );
}

/** Merges a source into another one. */
export function MergeDialog({ source, onClose }: SourceDialogProps) {
  return source && <MergeForm key={source.id} source={source} onClose={onClose} />;
}

function MergeForm({ source, onClose }: { source: Source; onClose(): void }) {
  const queries = useQueryClient();
  const [into, setInto] = useState<Source>();
  const merge = useMutation({
    mutationFn: (intoId: number) => call(mergeSource, { params: { id: source.id }, body: { intoId } }),
    onSuccess: () => {
      onClose();
      toastSuccess('Merge started', `${source.name} is being merged into ${into?.name}.`);
    },
    onSettled: () => refreshSources(queries),
  });
  return (
    <FormDialog
      opened
      onClose={onClose}
      onSubmit={() => into && merge.mutate(into.id)}
      title={`Merge ${source.name}`}
      submitLabel="Merge"
      busy={merge.isPending}
      invalid={!into}
      destructive
    >
      <SourceSelect label="Merge into" exclude={[source.id]} value={into} onChange={setInto} />
      <Text size="sm" role="status">
        {into ? (
          <>
            {plural(source.domains, 'domain')} of <b>{source.name}</b> will be listed by <b>{into.name}</b>, which lists{' '}
            {plural(into.domains, 'domain')} now. <b>{source.name}</b> is then deleted. You cannot undo this.
          </>
        ) : (
          'Select the source that stays.'
        )}
      </Text>
      <FormError error={merge.error} />
    </FormDialog>
  );
}
