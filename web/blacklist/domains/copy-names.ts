import { plural } from '../../platform/format.ts';
import { copyText } from '../../ui/copy-button.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';

/** Copies domain names, one per line, and shows a toast that says how many. */
export async function copyNames(names: readonly string[]): Promise<void> {
  if (!(await copyText(names.join('\n')))) return toastError('Copy failed', 'Your browser blocked the clipboard.');
  if (names.length === 1) toastSuccess('Name copied', names[0]);
  else toastSuccess('Names copied', `${plural(names.length, 'name')}, one per line.`);
}
