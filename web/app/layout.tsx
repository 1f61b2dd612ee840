import { Outlet } from '@tanstack/react-router';

/** The frame around every screen. */
export function Layout() {
  return (
    <main id="main" tabIndex={-1}>
      <Outlet />
    </main>
  );
}
