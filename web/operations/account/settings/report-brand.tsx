import { Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  BrandChange,
  changeReportBrand,
  maxBrandName,
  maxLogoBytes,
  type ReportBrand,
} from '#shared/reports/report-brand.ts';
import { useCheckedForm } from '../../../accounts/accounts/forms.tsx';
import { call } from '../../../platform/api.ts';
import { Brand, brandQuery } from '../../../reports/backlinks/report/brand.tsx';
import { Button } from '../../../ui/button.tsx';
import { FilePicker } from '../../../ui/file-picker.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Section } from '../../../ui/section.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';
import styles from './account-list.module.css';

/** The name and logo on shared and printed reports. */
export function ReportBrandSection() {
  const brand = useQuery(brandQuery);
  return (
    <Section title="Name and logo on reports" description="Shown on reports that you share or print.">
      {brand.data ? <BrandForm brand={brand.data} /> : <QueryState query={brand} height={190} />}
    </Section>
  );
}

function BrandForm({ brand }: { brand: ReportBrand }) {
  const queries = useQueryClient();
  const [files, setFiles] = useState<readonly File[]>([]);
  const { form, formError, focusFirst, showErrors } = useCheckedForm({ name: brand.name }, BrandChange);
  const change = useMutation({
    mutationFn: async ({ name, logo }: { name: string; logo?: File | null | undefined }) =>
      call(changeReportBrand, {
        body: { name, ...(logo !== undefined && { logo: logo && (await readBase64(logo)) }) },
      }),
    onSuccess: (saved) => {
      queries.setQueryData(brandQuery.queryKey, saved);
      setFiles([]);
      toastSuccess('Saved', 'Your name and logo on reports have changed.');
    },
    onError: (error) => showErrors(error, { title: 'Not saved' }),
  });
  const [file] = files;
  const isTooLarge = file !== undefined && file.size > maxLogoBytes;
  const logoError = isTooLarge ? 'The logo must not exceed 200 kB.' : form.errors.logo;
  return (
    <form noValidate onSubmit={form.onSubmit(({ name }) => change.mutate({ name, logo: file }), focusFirst)}>
      <Stack gap="sm" className={styles.form}>
        <Brand brand={brand} />
        <TextInput
          label="Name on reports"
          autoComplete="organization"
          maxLength={maxBrandName}
          {...form.getInputProps('name')}
        />
        <FilePicker
          files={files}
          onChange={setFiles}
          label="Choose a logo"
          hint="PNG, JPEG or WebP, up to 200 kB."
          accept="image/png,image/jpeg,image/webp"
          error={typeof logoError === 'string' ? logoError : undefined}
        />
        <FormError error={formError} />
        <Group gap="sm">
          <Button type="submit" variant="default" loading={change.isPending} disabled={isTooLarge}>
            Save name and logo
          </Button>
          {brand.logo && (
            <Button
              variant="default"
              disabled={change.isPending}
              onClick={() => change.mutate({ name: brand.name, logo: null })}
            >
              Remove logo
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

async function readBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
