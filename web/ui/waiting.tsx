/** Stands where a lazy part will be, so that the page is not marked as ready without it. */
export function Waiting() {
  return <span data-waiting hidden />;
}
