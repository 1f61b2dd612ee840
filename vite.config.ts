import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { openApiDocument } from './shared/checks/openapi.ts';
import { maxWidths } from './web/ui/breakpoints.ts';

const packages = 'react|react-dom|scheduler|clsx|zod|use-sync-external-store';
const tanstack = 'react-router|router-core|history|store|react-store|query-core|react-query';
const shell = new RegExp(
  `/web/(?:main|routes)\\.tsx$|/node_modules/(?:(?:${packages}|@tanstack/(?:${tanstack}))/)|/web/(?:platform/api|accounts/sessions/session)|/shared/(?:pages|\\w+/(?:endpoint|domains|accounts|page))\\.`,
);
const lists =
  /\/web\/(?:(?:ui|platform)\/(?:pagination|table|selection|use-row-keys|use-width|copy-button|fields|use-list-url|use-draft|use-leave-warning|use-run|format|date-text)|blacklist\/domains\/(?:charts|domains|source-label)\.)|\/icons\/(?:arrow-(?:down|up)|bot|briefcase-business|chevrons-up-down|download|file-up|layers|pen-line|pencil|plus|search|store|trash|users|venetian-mask)\./;
const blacklist =
  /\/shared\/\w+\/saved-views\.|\/icons\/(?:bookmark|clipboard-list|sliders-horizontal)\.|\/web\/blacklist\/domains\/(?:domains-page|domains-header|domains-list|filter-bar|domain-cells|columns|copy-names|queries|screen|views\/default-view|name-list\/names)\./;
const alerts = /\/shared\/\w+\/alerts\.|\/web\/reports\/alerts\/(?:alerts|queries)\.|\/icons\/bell\./;
const pages = /\/web\/(?:page-titles|accounts\/sessions\/gated-link)\./;

/** Variables of Mantine that no style uses. They are a fifth of the styles that every page loads. */
const unusedVariableNames =
  /--mantine-(?:color-(?:(?:grape|pink|violet|indigo|blue|cyan|teal|lime)-[\w-]+|\w+-outline(?:-hover)?|orange-[0-5]|dark-[a-z][\w-]*)|primary-color-\d|(?:breakpoint|z-index)-\w+):[^;}]*;?/g;

/** Removes variables that no style uses. */
const unusedVariables: Plugin = {
  name: 'unused-variables',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('default-css-variables.css') ? code.replace(unusedVariableNames, '') : undefined,
};

const customMedia = Object.entries(maxWidths)
  .map(([layout, width]) => `@custom-media --${layout} (max-width: ${width});`)
  .join('');

/** Defines the custom media of the layouts in each file of styles. */
const layouts: Plugin = {
  name: 'layouts',
  enforce: 'pre',
  transform: (code, id) => (/\/web\/.*\.css$/.test(id) ? customMedia + code : undefined),
};

/** Removes the summaries and audit events of endpoints, which only the server needs, from the code of the browser. */
const serverOnlyTexts: Plugin = {
  name: 'server-only-texts',
  enforce: 'pre',
  transform: (code, id) =>
    /\/shared\/[\w/-]+\.ts$/.test(id) ? code.replace(/^ {2}(?:summary|auditEvent): (['"]).*\1,\n/gm, '') : undefined,
};

export default defineConfig({
  root: join(import.meta.dirname, 'web'),
  publicDir: 'public',
  plugins: [react(), unusedVariables, layouts, serverOnlyTexts],
  css: { transformer: 'lightningcss', lightningcss: { drafts: { customMedia: true } } },
  // React has this hook since version 18, so its copy for older versions is not needed.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  // The API documentation page renders this document. It is generated at build time, so that browsers do not load the
  // generator.
  define: { __API_DOCUMENT__: JSON.stringify(JSON.stringify(openApiDocument('__ORIGIN__'))) },
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    sourcemap: false,
    target: 'es2023',
    assetsInlineLimit: 0,
    // Without the polyfill, browsers from before 2024 load the same files one after another.
    // Every page has loaded the shell by the time it loads another part.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files) => files.filter((file) => !/\/(?:shell|rolldown-runtime)-/.test(file)),
    },
    // shell: the code that every screen needs, in one file instead of two dozen. lists: code and icons that lists and
    // many screens share, which loads and compresses better in one file. blacklist: the frame of the blacklist, for the
    // same reason, and the icon that only it uses, without which the file of the page would have an export that does
    // not exist. checks: the shared rules of checks, in one file because the blacklist lists every file that it can
    // load. alerts: the bell of the header, and what the screen of alerts and the account share with it, including its
    // icon, which would otherwise be in the first load. pages: titles and links that most public pages share. icons:
    // those that several screens share. kit: the core of Mantine, which all of its components import. form: components
    // that nearly all other screens use. overlay and floating: what dialogs, selects and tooltips share, in two files
    // because the blacklist lists every file that it can load.
    rolldownOptions: {
      output: {
        // Short, because the first load lists the names of all files.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:5][extname]',
        codeSplitting: {
          groups: [
            { name: 'shell', test: shell, priority: 1 },
            { name: 'lists', test: lists, priority: 1 },
            { name: 'blacklist', test: blacklist, includeDependenciesRecursively: false },
            { name: 'checks', test: /\/shared\/\w+\/(?:checks|text|key-checks|list-checks)\./ },
            { name: 'alerts', test: alerts, includeDependenciesRecursively: false, priority: 2 },
            { name: 'pages', test: pages, includeDependenciesRecursively: false },
            { name: 'icons', test: /\/lucide-react\/dist\/esm\/icons\//, minShareCount: 3, priority: 1 },
            { name: 'kit', test: /@mantine\/core\/esm\/core/ },
            {
              name: 'overlay',
              test: /@mantine\/(?:core\/esm\/components\/(?:Overlay|Portal|Transition)|hooks\/esm\/use-(?:did-update|reduced-motion))\//,
              includeDependenciesRecursively: false,
            },
            {
              name: 'floating',
              test: /@floating-ui|@mantine\/(?:core\/esm\/components\/(?:FocusTrap|ScrollArea)|hooks\/esm\/use-(?:focus-trap|focus-return|debounced-callback))\//,
              includeDependenciesRecursively: false,
            },
            {
              name: 'form',
              test: /@mantine\/core\/esm\/components\/(?:Input|InputBase|TextInput|Textarea|Loader|CloseButton|Stack|Group|Text|Title|Paper|Container|VisuallyHidden|Skeleton|Tabs|Progress|Alert)\/|@mantine\/hooks\/esm\/(?:use-disclosure|use-uncontrolled|utils\/use-callback-ref)\/|\/web\/ui\/(?:form-error|lazy-dialog|load-together|run-progress|screen|typography)\./,
            },
          ],
        },
      },
    },
  },
  // The server compares Origin with Host, so the proxy must not change Host.
  server: {
    proxy: {
      '^/api/(?!docs(?:[?#]|$))': { target: 'http://localhost:3000', changeOrigin: false },
      '^/extension/.*\\.zip$': 'http://localhost:3000',
    },
  },
});
