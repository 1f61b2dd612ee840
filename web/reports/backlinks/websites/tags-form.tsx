import { Group, Stack, TagsInput } from '@mantine/core';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { maxTagLength, maxTags, updateWebsite, type Website } from '#shared/reports/websites.ts';
import { ApiError, call } from '../../../platform/api.ts';
import { Button } from '../../../ui/button.tsx';
import { focusLate } from '../../../ui/dialogs.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';
import { websitesQuery } from '../../websites/websites.ts';
import { isSameTag, listTags, nameWebsites } from './filter-websites.ts';

interface TagsFormProps {
  websites: readonly Website[];
  onClose(): void;
}

/**
 * The form that edits the tags of a website, or those that several websites have in common. It offers the tags of all
 * websites.
 */
export function TagsForm({ websites, onClose }: TagsFormProps) {
  const queries = useQueryClient();
  const { data: known = [] } = useQuery(websitesQuery);
  const [first, ...others] = websites;
  const [common] = useState(() =>
    (first?.tags ?? []).filter((tag) => others.every(({ tags }) => tags.some((one) => isSameTag(one, tag)))),
  );
  const [chosen, setChosen] = useState(common);
  /** Text that was typed, but not made a tag with Enter. */
  const [typed, setTyped] = useState('');
  const all = withTag(chosen, typed);
  const save = useMutation({
    mutationFn: async () => {
      const removed = common.filter((tag) => !all.includes(tag));
      for (const { id, tags } of websites) {
        const kept = tags.filter((tag) => !removed.some((one) => isSameTag(one, tag)));
        const saved = await call(updateWebsite, { params: { id }, body: { tags: all.reduce(withTag, kept) } });
        queries.setQueryData(websitesQuery.queryKey, (before) => before?.map((one) => (one.id === id ? saved : one)));
      }
    },
    onSuccess: () => {
      toastSuccess('Tags saved', `The tags of ${nameWebsites(websites)} were saved.`);
      onClose();
    },
  });
  const refusal = save.error instanceof ApiError ? save.error.fields.tags : undefined;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) save.mutate();
      }}
    >
      <Stack gap="md">
        <TagsInput
          label="Tags"
          description={`Up to ${maxTags} tags, such as the name of a client. Press Enter after each.`}
          data={listTags(known)}
          value={chosen}
          onChange={(next) => setChosen(next.reduce<string[]>(withTag, []))}
          searchValue={typed}
          onSearchChange={(text) => setTyped(text.slice(0, maxTagLength))}
          maxTags={maxTags}
          acceptValueOnBlur={false}
          openOnFocus={false}
          clearable={false}
          ref={focusLate}
          error={refusal}
        />
        {!refusal && <FormError error={save.error} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} disabled={save.isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Adds a tag unless it is empty or there is one that differs only in case. */
function withTag(tags: string[], typed: string): string[] {
  const tag = typed.trim().slice(0, maxTagLength).trim();
  return tag === '' || tags.some((one) => isSameTag(one, tag)) ? tags : [...tags, tag];
}
