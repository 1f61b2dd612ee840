import { ApiError } from './api.ts';

/**
 * Saves what an address answers with as a file, under the name that the server gives. Resolves when the whole of it is
 * here. Throws ApiError when the server refuses, so that a person hears of it instead of finding an error as a file.
 */
export async function download(url: string, signal?: AbortSignal): Promise<void> {
  const response = await fetch(url, { credentials: 'same-origin', ...(signal && { signal }) });
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
