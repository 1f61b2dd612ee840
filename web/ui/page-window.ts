/** The page numbers to offer around `page`, zero-based, with first and last; 'gap' where numbers are left out. */
export function pageWindow(page: number, totalPages: number): (number | 'gap')[] {
  const last = totalPages - 1;
  if (totalPages <= 7) return Array.from({ length: totalPages }, (_, index) => index);
  if (page <= 3) return [0, 1, 2, 3, 4, 'gap', last];
  if (page >= last - 3) return [0, 'gap', last - 4, last - 3, last - 2, last - 1, last];
  return [0, 'gap', page - 1, page, page + 1, 'gap', last];
}
