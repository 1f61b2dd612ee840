import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { feedFormats, sourceKinds } from '#shared/blacklist/choices.ts';
import { maxSourceLength } from '#shared/blacklist/domains.ts';
import { createFeed, type Feed, FeedChange, updateFeed } from '#shared/blacklist/feeds.ts';
import { ApiError, call } from '../../platform/api.ts';
import { FormDialog } from '../../ui/dialogs.tsx';
import { RadioGroup, selectLook } from '../../ui/fields.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { toastSuccess } from '../../ui/toast.tsx';
import { kindLabels } from '../sources/listings.tsx';
import { describeInterval, formatLabels, listIntervals } from './describe.ts';
import styles from './feeds.module.css';
import { refreshFeeds } from './queries.ts';

/** All values are strings, as the fields return them. In the order of the fields. */
type Values = Pick<Feed, 'name' | 'url' | 'kind' | 'format'> & {
  sourceKind: NonNullable<Feed['sourceKind']>;
  intervalHours: string;
  licence: string;
  homepage: string;
};

const emptyValues: Values = {
  name: '',
  url: '',
  kind: 'block',
  sourceKind: 'list',
  intervalHours: '24',
  format: 'auto',
  licence: '',
  homepage: '',
};

interface CustomFeedDialogProps {
  opened: boolean;
  onClose(): void;
}

/** The form for a list that is not in the catalogue. What was typed stays until the feed is added. */
export function CustomFeedDialog({ opened, onClose }: CustomFeedDialogProps) {
  const { form, formError, validate, showError } = useFeedForm(emptyValues);
  const client = useQueryClient();
  const add = useMutation({
    mutationFn: (values: Values) => call(createFeed, { body: { ...toBody(values), kind: values.kind } }),
    onSuccess: ({ name }) => {
      form.reset();
      onClose();
      toastSuccess('Feed added', `${name} is being downloaded.`);
    },
    onError: showError,
    onSettled: () => refreshFeeds(client),
  });
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      onSubmit={() => validate() && add.mutate(form.values)}
      title="Add another list"
      submitLabel="Add feed"
      busy={add.isPending}
      closeOnClickOutside={!form.isDirty()}
    >
      <FeedFields form={form} withKind />
      <FormError error={formError} />
    </FormDialog>
  );
}

/** The settings of a feed. Undefined closes the dialog. */
export function EditFeedDialog({ feed, onClose }: { feed: Feed | undefined; onClose(): void }) {
  const { form, formError, validate, showError } = useFeedForm(emptyValues);
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: ({ id, values }: { id: number; values: Values }) =>
      call(updateFeed, { params: { id }, body: toBody(values) }),
    onSuccess: (changed) => {
      onClose();
      toastSuccess('Feed saved', changed.name);
    },
    onError: showError,
    onSettled: () => refreshFeeds(client),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another feed replaces what was typed
  useEffect(() => {
    if (!feed) return;
    form.setInitialValues(toValues(feed));
    form.reset();
  }, [feed]);
  return (
    <FormDialog
      opened={feed !== undefined}
      onClose={onClose}
      onSubmit={() => feed && validate() && save.mutate({ id: feed.id, values: form.values })}
      title="Edit feed"
      submitLabel="Save"
      busy={save.isPending}
      closeOnClickOutside={!form.isDirty()}
    >
      <FeedFields form={form} />
      <FormError error={formError} />
    </FormDialog>
  );
}

const toValues = ({ name, url, kind, sourceKind, intervalHours, format, licence, homepage }: Feed): Values => ({
  name,
  url,
  kind,
  sourceKind: sourceKind ?? 'list',
  intervalHours: String(intervalHours),
  format,
  licence: licence ?? '',
  homepage: homepage ?? '',
});

/** The fields that can be changed later. Lists that protect domains have no kind of source. */
const toBody = ({ name, url, kind, sourceKind, intervalHours, format, licence, homepage }: Values) => ({
  name,
  url: url.trim(),
  ...(kind === 'block' && { sourceKind }),
  intervalHours: Number(intervalHours),
  format,
  licence: licence.trim() || null,
  homepage: homepage.trim() || null,
});

/** A form that moves the focus to the first invalid field when it is submitted, and when the server refuses it. */
function useFeedForm(initialValues: Values) {
  const [formError, setFormError] = useState<Error>();
  const check = schemaResolver(FeedChange, { sync: true });
  const form = useForm({
    initialValues,
    validate: (values) => check(toBody(values)),
    onValuesChange: () => setFormError(undefined),
  });
  /** @returns the name of the first invalid field, if the form shows one */
  const focusFirst = (errors: object) => {
    const first = Object.keys(initialValues).find((name) => name in errors);
    if (first) form.getInputNode(first)?.focus();
    return first;
  };
  return {
    form,
    /** An error that does not belong to a field of the form. */
    formError,
    /** Checks the values and shows their errors. @returns whether they can be sent */
    validate: () => {
      setFormError(undefined);
      return focusFirst(form.validate().errors) === undefined;
    },
    showError: (error: Error) => {
      const errors = error instanceof ApiError ? error.fields : {};
      form.setErrors(errors);
      if (!focusFirst(errors)) setFormError(error);
    },
  };
}

const formatOptions = (['auto', ...feedFormats] as const).map((value) => ({ value, label: formatLabels[value] }));
const kindOptions = sourceKinds.map((value) => ({ value, label: kindLabels[value] }));
const kinds = [
  { value: 'block', label: 'Lists its domains on the blacklist' },
  { value: 'allow', label: 'Protects its domains from being listed' },
] as const;

interface FeedFieldsProps {
  form: ReturnType<typeof useFeedForm>['form'];
  /** Whether the form asks what the list does, which cannot be changed later. */
  withKind?: boolean;
}

function FeedFields({ form, withKind = false }: FeedFieldsProps) {
  const { kind } = form.values;
  return (
    <Stack>
      <TextInput
        {...form.getInputProps('name')}
        label="Name"
        description={kind === 'block' ? 'Shown as the source of its domains.' : undefined}
        required
        maxLength={maxSourceLength}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        {...form.getInputProps('url')}
        {...addressField}
        label="Address of the list"
        description="The file itself, not a page about it."
        placeholder="https://example.com/list.txt"
        required
      />
      {withKind && (
        <RadioGroup
          legend="What the list does"
          options={kinds}
          value={kind}
          onChange={(value) => form.setFieldValue('kind', value)}
        />
      )}
      <div className={styles.fieldRow}>
        {kind === 'block' && (
          <NativeSelect
            {...selectLook}
            {...form.getInputProps('sourceKind')}
            label="Kind of source"
            data={kindOptions}
          />
        )}
        <NativeSelect
          {...selectLook}
          {...form.getInputProps('intervalHours')}
          label="Refresh interval"
          data={listIntervals(Number(form.values.intervalHours)).map((hours) => ({
            value: String(hours),
            label: describeInterval(hours),
          }))}
        />
      </div>
      <NativeSelect {...selectLook} {...form.getInputProps('format')} label="Format" data={formatOptions} />
      <div className={styles.fieldRow}>
        <TextInput
          {...form.getInputProps('licence')}
          label="License (optional)"
          placeholder="MIT"
          maxLength={100}
          autoComplete="off"
        />
        <TextInput
          {...form.getInputProps('homepage')}
          {...addressField}
          label="Homepage (optional)"
          placeholder="https://example.com"
        />
      </div>
    </Stack>
  );
}

const addressField = {
  type: 'url',
  inputMode: 'url',
  maxLength: 2000,
  autoComplete: 'off',
  autoCapitalize: 'off',
  spellCheck: false,
} as const;
