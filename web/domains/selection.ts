import type { Domain } from '#shared/domains.ts';

/** The selected domains of the page, by their ids. */
export type Selection = Readonly<Record<number, boolean>>;

/** How many of the page are selected, and what follows from a click on one or on all of them. */
export function selectionOf(domains: readonly Domain[], selection: Selection) {
  const count = domains.filter(({ id }) => selection[id]).length;
  return {
    all: count > 0 && count === domains.length,
    some: count > 0 && count < domains.length,
    /** All of the page when none or some are selected, else none. */
    toggleAll: (): Selection =>
      count === domains.length ? {} : Object.fromEntries(domains.map(({ id }) => [id, true])),
    toggle: ({ id }: Domain): Selection => {
      const { [id]: was, ...others } = selection;
      return was ? others : { ...others, [id]: true };
    },
  };
}
