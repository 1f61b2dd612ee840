import './more-styles.ts';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { readResponse } from '../platform/api.ts';
import { Button, type ButtonLook } from './button.tsx';
import { FormError } from './form-error.tsx';
import { toastError, toastSuccess } from './toast.tsx';

interface Props extends Pick<ButtonLook, 'variant' | 'size' | 'children'> {
  url: string;
  /** Sent as JSON with POST. Without it, the request is a GET. */
  body?: unknown;
  disabled?: boolean;
  /** The text of the toast shown when the download starts. */
  started?: string;
  /** Sends the request, for example to ask for a proof of identity first. */
  around?: Around;
}

type Around = <T>(send: () => Promise<T>) => Promise<T>;

/** Why a download failed, for users. */
export const exportFailed = 'There was a problem exporting the data. Please try again.';

/** A button that downloads a file. Saves it only when it is complete, and shows an error if the download fails. */
export function DownloadButton({ url, body, started, around, size, ...look }: Props) {
  const save = useDownload(started, around);
  return (
    <>
      <Button
        {...look}
        size={size}
        leftSection={<Download size={size === 'xs' ? 14 : 16} aria-hidden />}
        loading={save.isPending}
        onClick={() => save.mutate({ url, body })}
      />
      {/* Below the buttons that follow in the same row. */}
      <FormError error={save.error && { message: exportFailed }} style={{ order: 1 }} />
    </>
  );
}

/**
 * Downloads a file and tells the user in toasts.
 * @param started the text of the toast shown when the download starts
 */
export function useDownload(started?: string, around: Around = (send) => send()) {
  return useMutation({
    mutationFn: ({ url, body }: { url: string; body?: unknown }) => around(() => download(url, body)),
    onMutate: () => started && toastSuccess('Export Started', started),
    onError: () => toastError('Export Failed', exportFailed),
  });
}

/**
 * Saves a response under the server's file name.
 * @throws ApiError for error responses, instead of saving them as a file
 */
async function download(url: string, body?: unknown): Promise<void> {
  const response = await fetch(url, {
    credentials: 'same-origin',
    ...(body !== undefined && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  if (!response.ok) readResponse(response, await response.text());
  const file = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = file;
  link.download = fileNameOf(response.headers.get('content-disposition')) ?? 'download';
  link.click();
  // The browser must start reading before the URL is revoked.
  setTimeout(() => URL.revokeObjectURL(file), 60_000);
}

/** The file name in a Content-Disposition header. Prefers the UTF-8 form (RFC 6266). */
export function fileNameOf(header: string | null): string | undefined {
  if (!header) return undefined;
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  if (encoded) return decodeURIComponent(encoded.trim());
  return /filename="([^"]*)"/i.exec(header)?.[1] ?? /filename=([^;\s]+)/i.exec(header)?.[1];
}
