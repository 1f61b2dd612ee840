import { NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { feedFormats, sourceKinds } from '#shared/choices.ts';
import { maxSourceLength } from '#shared/domains.ts';
import { createFeed, type Feed, FeedChange, updateFeed } from '#shared/feeds.ts';
import { ApiError, call } from '../lib/api.ts';
import { kindLabels } from '../listings/listings.tsx';
import { FormDialog, FormError } from '../ui/dialogs.tsx';
import { selectLook } from '../ui/fields.tsx';
import { toastSuccess } from '../ui/toast.tsx';
import { describeInterval, formatLabels, listIntervals } from './describe.ts';
import styles from './feeds.module.css';
import { refreshFeeds } from './feeds.tsx';

type Values = Pick<Feed, 'name' | 'url' | 'format' | 'kind' | 'intervalHours'> & {
  sourceKind: NonNullable<Feed['sourceKind']>;
  licence: string;
  homepage: string;
};

const emptyValues: Values = {
  name: '',
  url: '',
  format: 'auto',
  kind: 'block',
  sourceKind: 'list',
  intervalHours: 24,
  licence: '',
  homepage: '',
};

interface CustomFeedDialogProps {
  opened: boolean;
  onClose(): void;
}

/** The form for a list that is not in the catalogue. What was typed stays until the feed is added. */
export function CustomFeedDialog({ opened, onClose }: CustomFeedDialogProps) {
  const form = useFeedForm(emptyValues);
  const client = useQueryClient();
  const add = useMutation({
    mutationFn: ({ kind, ...body }: Values) =>
      call(createFeed, { body: { ...toBody(body), name: body.name, url: body.url, kind } }),
    onSuccess: ({ name }) => {
      form.reset();
      onClose();
      toastSuccess('Feed added', `${name} is being downloaded.`);
    },
    onError: form.showError,
    onSettled: () => refreshFeeds(client),
  });
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      onSubmit={() => form.validate() && add.mutate(form.values)}
      title="Add another list"
      submitLabel="Add feed"
      busy={add.isPending}
      closeOnClickOutside={form.isPristine}
    >
      <FeedFields form={form} withKind />
    </FormDialog>
  );
}

/** The settings of a feed. */
export function EditFeedDialog({ feed, onClose }: { feed: Feed; onClose(): void }) {
  const { id, name, url, format, kind, intervalHours } = feed;
  const form = useFeedForm({
    name,
    url,
    format,
    kind,
    intervalHours,
    sourceKind: feed.sourceKind ?? 'list',
    licence: feed.licence ?? '',
    homepage: feed.homepage ?? '',
  });
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (values: Values) => call(updateFeed, { params: { id }, body: toBody(values) }),
    onSuccess: (changed) => {
      onClose();
      toastSuccess('Feed saved', changed.name);
    },
    onError: form.showError,
    onSettled: () => refreshFeeds(client),
  });
  return (
    <FormDialog
      opened
      onClose={onClose}
      onSubmit={() => form.validate() && save.mutate(form.values)}
      title="Edit feed"
      submitLabel="Save"
      busy={save.isPending}
      closeOnClickOutside={form.isPristine}
    >
      <FeedFields form={form} />
    </FormDialog>
  );
}

/** The fields that can be changed later. Lists that protect domains have no kind of source. */
function toBody({ name, url, format, sourceKind, intervalHours, licence, homepage, ...rest }: Partial<Values>) {
  return {
    name,
    url: url?.trim(),
    format,
    intervalHours,
    licence: licence?.trim() || null,
    homepage: homepage?.trim() || null,
    ...(rest.kind !== 'allow' && { sourceKind }),
  };
}

type FeedForm = ReturnType<typeof useFeedForm>;

/** The values of the form, and the errors of the browser's check and of the server, by field. */
function useFeedForm(initial: Values) {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [sentence, setSentence] = useState<Error>();
  return {
    values,
    errors,
    sentence,
    isPristine: Object.entries(values).every(([name, value]) => value === initial[name as keyof Values]),
    change: (patch: Partial<Values>) => {
      setValues((before) => ({ ...before, ...patch }));
      setErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !(name in patch))));
      setSentence(undefined);
    },
    reset: () => {
      setValues(initial);
      setErrors({});
      setSentence(undefined);
    },
    /** @returns whether the values can be sent */
    validate: () => {
      const found = findErrors(values);
      setErrors(found);
      setSentence(undefined);
      return Object.keys(found).length === 0;
    },
    showError: (error: Error) => {
      const fields = error instanceof ApiError ? error.fields : {};
      setErrors(fields);
      // An error of a field that the form does not show would be lost.
      if (!Object.keys(fields).some((name) => name in initial)) setSentence(error);
    },
  };
}

function findErrors(values: Values): Record<string, string> {
  const { error } = FeedChange.safeParse(toBody(values));
  // The first problem of each field.
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [String(path[0]), message]).toReversed());
}

const formatOptions = (['auto', ...feedFormats] as const).map((value) => ({ value, label: formatLabels[value] }));
const kindOptions = sourceKinds.map((value) => ({ value, label: kindLabels[value] }));
const kinds = [
  { value: 'block', label: 'Lists its domains on the blacklist' },
  { value: 'allow', label: 'Protects its domains from being listed' },
] as const;

function FeedFields({ form, withKind = false }: { form: FeedForm; withKind?: boolean }) {
  const { values, errors, change } = form;
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (Object.keys(errors).length > 0) {
      fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  }, [errors]);
  return (
    <div ref={fields} className={styles.fields}>
      <TextInput
        label="Name"
        description={values.kind === 'block' ? 'Shown as the source of its domains.' : undefined}
        required
        value={values.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        error={errors.name}
        maxLength={maxSourceLength}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        label="Address of the list"
        description="The file itself, not a page about it."
        placeholder="https://example.com/list.txt"
        required
        type="url"
        inputMode="url"
        value={values.url}
        onChange={(event) => change({ url: event.currentTarget.value })}
        error={errors.url}
        maxLength={2000}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      {withKind && (
        <fieldset className={styles.choice}>
          <legend>What the list does</legend>
          {kinds.map(({ value, label }) => (
            <label key={value}>
              <input
                type="radio"
                name="kind"
                checked={values.kind === value}
                onChange={() => change({ kind: value })}
              />
              {label}
            </label>
          ))}
        </fieldset>
      )}
      <div className={styles.fieldRow}>
        {values.kind === 'block' && (
          <NativeSelect
            {...selectLook}
            label="Kind of source"
            data={kindOptions}
            value={values.sourceKind}
            onChange={(event) => {
              const sourceKind = sourceKinds.find((one) => one === event.currentTarget.value);
              if (sourceKind) change({ sourceKind });
            }}
            error={errors.sourceKind}
          />
        )}
        <NativeSelect
          {...selectLook}
          label="Download it"
          data={listIntervals(values.intervalHours).map((hours) => ({
            value: String(hours),
            label: describeInterval(hours),
          }))}
          value={String(values.intervalHours)}
          onChange={(event) => change({ intervalHours: Number(event.currentTarget.value) })}
          error={errors.intervalHours}
        />
      </div>
      <NativeSelect
        {...selectLook}
        label="Format"
        data={formatOptions}
        value={values.format}
        onChange={(event) => {
          const format = formatOptions.find(({ value }) => value === event.currentTarget.value)?.value;
          if (format) change({ format });
        }}
        error={errors.format}
      />
      <div className={styles.fieldRow}>
        <TextInput
          label="License (optional)"
          placeholder="MIT"
          value={values.licence}
          onChange={(event) => change({ licence: event.currentTarget.value })}
          error={errors.licence}
          maxLength={100}
          autoComplete="off"
        />
        <TextInput
          label="Homepage (optional)"
          placeholder="https://example.com"
          type="url"
          inputMode="url"
          value={values.homepage}
          onChange={(event) => change({ homepage: event.currentTarget.value })}
          error={errors.homepage}
          maxLength={2000}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </div>
      <FormError error={form.sentence} />
    </div>
  );
}
