/** The logo, with the same shapes as web/public/favicon.svg, and the name. */
export function Brand() {
  return (
    <span className="brand">
      <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" />
        <path
          className="link"
          d="M10 6h4v4h-4a2 2 0 0 0 0 4h4v4h-4a6 6 0 0 1 0-12zm8 0h4a6 6 0 0 1 0 12h-4v-4h4a2 2 0 0 0 0-4h-4z"
        />
        <path className="mesh" d="M4 22h6v4H4zm8 0h8v4h-8zm10 0h6v4h-6z" />
      </svg>
      Linksieve
    </span>
  );
}
