import react from '@vitejs/plugin-react';
import { defineConfig } from 'wxt';
import project from '../package.json' with { type: 'json' };

export default defineConfig({
  // Every name is imported where it is used.
  imports: false,
  manifestVersion: 3,
  vite: () => ({ plugins: [react()], build: { target: 'es2023' } }),
  manifest: ({ browser }) => ({
    name: 'Linksieve: paid-link blacklist',
    short_name: 'Linksieve',
    description: 'See which sites are known or suspected to sell backlinks, without telling anyone what you browse.',
    version: project.version,
    permissions: ['activeTab', 'alarms', 'storage'],
    // Asked for when they are first needed.
    optional_permissions: ['scripting', 'tabs'],
    icons: Object.fromEntries([16, 32, 48, 128].map((size) => [size, `icon/${size}.png`])),
    action: { default_title: 'Linksieve' },
    commands: { _execute_action: { suggested_key: { default: 'Alt+Shift+L' } } },
    // Firefox would otherwise upgrade the addresses of installations without TLS, such as http://localhost:3000.
    content_security_policy: { extension_pages: "script-src 'self'; object-src 'self'" },
    ...(browser === 'firefox' && {
      browser_specific_settings: {
        gecko: {
          id: 'extension@linksieve.example',
          strict_min_version: '142.0',
          data_collection_permissions: { required: ['none'] },
        },
      },
    }),
    ...(browser === 'chrome' && { minimum_chrome_version: '126' }),
  }),
});
