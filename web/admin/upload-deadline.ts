/** Files above this size may take long, in bytes. */
const largeFile = 5 * 1024 * 1024;
/** Milliseconds after which an upload that moves no longer is given up. */
const patience = 300_000;

/**
 * Aborts the upload of a large file when nothing of it has moved for five minutes. `renew` is to be called on every progress:
 * a slow line alone is no reason to give up.
 */
export function uploadWithin(file: Pick<File, 'size'>, controller: AbortController) {
  let over = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  function renew(): void {
    clearTimeout(timer);
    if (file.size <= largeFile) return;
    timer = setTimeout(() => {
      over = true;
      controller.abort();
    }, patience);
  }
  renew();
  return { renew, clear: () => clearTimeout(timer), isOver: () => over };
}
