import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { ApiError } from '../lib/api.ts';
import { Button, type ButtonLook } from './button.tsx';
import { toastError, toastSuccess } from './toast.tsx';

interface Props extends Pick<ButtonLook, 'variant' | 'size' | 'children'> {
  url: string;
  /** Shown as a notification when the download starts. */
  started?: string;
}

/** A button that saves a file once the whole of it is here, and says so when that fails. */
export function DownloadButton({ url, started, size, ...look }: Props) {
  const save = useMutation({
    mutationFn: () => download(url),
    onMutate: () => started && toastSuccess('Export Started', started),
    onError: () => toastError('Export Failed', 'There was a problem exporting the data. Please try again.'),
  });
  return (
    <Button
      {...look}
      size={size}
      leftSection={<Download size={size === 'xs' ? 14 : 16} aria-hidden />}
      loading={save.isPending}
      onClick={() => save.mutate()}
    />
  );
}

/** Saves a response as a file with the server's name for it. Throws ApiError, so that nobody finds an error in a file. */
async function download(url: string): Promise<void> {
  const response = await fetch(url, { credentials: 'same-origin' });
  if (!response.ok) throw new ApiError(response.status, 'internal', `${response.status}: ${response.statusText}`);
  const file = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = file;
  link.download = fileNameOf(response.headers.get('content-disposition')) ?? 'download';
  link.click();
  // The browser has to have begun to read before the address goes.
  setTimeout(() => URL.revokeObjectURL(file), 60_000);
}

/** The name in a Content-Disposition header, the UTF-8 form first. */
export function fileNameOf(header: string | null): string | undefined {
  if (!header) return undefined;
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  if (encoded) return decodeURIComponent(encoded.trim());
  return /filename="([^"]*)"/i.exec(header)?.[1] ?? /filename=([^;\s]+)/i.exec(header)?.[1];
}
