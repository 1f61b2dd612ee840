import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { extensionFiles } from '#shared/checks/extension-links.ts';
import { publicPageTitles } from '../../page-titles.ts';
import { paths } from '../../paths.ts';
import { pageState } from '../../platform/page-state.ts';
import { useTitle } from '../../platform/use-title.ts';
import { ButtonAnchor } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DocPage, TextTable } from '../../ui/doc-page.tsx';
import styles from './extension-page.module.css';

const parts = {
  features: { id: 'features', title: 'What it shows' },
  install: { id: 'install', title: 'Install it from a file' },
  connect: { id: 'connect', title: 'Connect it to this site' },
  privacy: { id: 'privacy', title: 'How a lookup stays private' },
  permissions: { id: 'permissions', title: 'Permissions' },
  limits: { id: 'limits', title: 'What it does not do' },
} as const;

/** What the browser extension does, and how to install it. */
export function ExtensionPage() {
  const title = publicPageTitles[paths.extension];
  useTitle(title);
  return (
    <DocPage head={<Head title={title} />} parts={Object.values(parts)} className={styles.text ?? ''}>
      <Part {...parts.features}>
        <Features />
      </Part>
      <Part {...parts.install}>
        <Installation />
      </Part>
      <Part {...parts.connect}>
        <Connection />
      </Part>
      <Part {...parts.privacy}>
        <Privacy />
      </Part>
      <Part {...parts.permissions}>
        <Permissions />
      </Part>
      <Part {...parts.limits}>
        <Limits />
      </Part>
    </DocPage>
  );
}

function Head({ title }: { title: string }) {
  const { chrome, edge, firefox } = pageState().extensionLinks;
  return (
    <div className={styles.head}>
      <div>
        <h1>{title}</h1>
        <p className={styles.lead}>
          While you browse, see which sites are known or suspected to sell backlinks: in the toolbar, beside search
          results, and for all links of a page. It is free, and you do not need an account.
        </p>
        <div className={styles.buttons}>
          <ButtonAnchor href={chrome} size="md">
            Get it for Chrome
          </ButtonAnchor>
          <ButtonAnchor href={edge} size="md" variant="default">
            Get it for Edge
          </ButtonAnchor>
          <ButtonAnchor href={firefox} size="md" variant="default">
            Get it for Firefox
          </ButtonAnchor>
        </div>
      </div>
      <Screenshot {...screenshots.popup} />
    </div>
  );
}

interface Picture {
  /** The start of the file names, before the theme. */
  name: string;
  width: number;
  height: number;
  alt: string;
}

const screenshots = {
  popup: {
    name: 'popup',
    width: 400,
    height: 261,
    alt: 'The popup of the extension: the risk of the current site, its confidence, the number of sources, and the date of listing.',
  },
  results: {
    name: 'results',
    width: 800,
    height: 600,
    alt: 'A page of search results, with a mark beside each result whose domain is on the blacklist.',
  },
  scan: {
    name: 'scan',
    width: 400,
    height: 449,
    alt: 'The result of a scan: the domains that a page links to, ordered by risk, with buttons to copy and to download them.',
  },
} as const satisfies Record<string, Picture>;

/**
 * A screenshot in the colors of the theme. The theme can differ from that of the system, so styles select the picture.
 * The browser does not load a lazy picture that is not displayed.
 */
function Screenshot({ name, width, height, alt }: Picture) {
  return (
    <div className={styles.screenshot}>
      {(['light', 'dark'] as const).map((theme) => (
        <img
          key={theme}
          src={`/extension/${name}-${theme}.png`}
          width={width}
          height={height}
          alt={alt}
          loading="lazy"
          className={styles[theme]}
        />
      ))}
    </div>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

function Features() {
  return (
    <>
      <h3>The site that you are on</h3>
      <p>
        Press the toolbar icon, or Alt+Shift+L, to see the risk of the current site, the confidence, the number of
        sources and the date of listing, with a link to the page of the domain here. The{' '}
        <Link to={paths.methodology}>methodology</Link> explains what they mean. In the settings you can let the icon
        show the risk of every site that you open.
      </p>
      <h3>Search results</h3>
      <p>On Google, Bing and DuckDuckGo, a small mark beside a result shows that its domain is listed.</p>
      <Screenshot {...screenshots.results} />
      <div className={styles.beside}>
        <div>
          <h3>All links of a page</h3>
          <p>
            Press <b>Scan this page</b> in the popup to list the domains that a page links to, by risk. You can copy the
            listed ones, or download all as CSV.
          </p>
          <h3>Offers on a marketplace</h3>
          <p>
            Press <b>Highlight offers</b> on a page that offers links for sale. It marks the domains that are already on
            the blacklist.
          </p>
        </div>
        <Screenshot {...screenshots.scan} />
      </div>
    </>
  );
}

function Installation() {
  return (
    <>
      <p>
        These files come with this installation. A browser does not update an extension that you install from a file, so
        use the store of your browser if a button above leads there.
      </p>
      <section id="chrome" aria-labelledby="chrome-title" className={styles.browser}>
        <h3 id="chrome-title">Chrome and Edge</h3>
        <DownloadButton file={extensionFiles.chrome} browser="Chrome and Edge" />
        <ol>
          <li>
            Download the file and unzip it into a folder that you keep. The browser runs the extension from there.
          </li>
          <li>
            Open <code>chrome://extensions</code>, or <code>edge://extensions</code> in Edge.
          </li>
          <li>
            Turn on <b>Developer mode</b>, and leave it on. Without it, the browser may turn the extension off.
          </li>
          <li>
            Choose <b>Load unpacked</b>, and select the folder that contains <code>manifest.json</code>.
          </li>
          <li>Open the menu of extensions in the toolbar, and pin Linksieve.</li>
        </ol>
        <p className={styles.note}>
          To update it, replace the content of the folder with that of a new download, and press the reload button of
          Linksieve on the same page.
        </p>
      </section>
      <section id="firefox" aria-labelledby="firefox-title" className={styles.browser}>
        <h3 id="firefox-title">Firefox</h3>
        <DownloadButton file={extensionFiles.firefox} browser="Firefox" />
        <p>
          Firefox keeps only extensions that Mozilla has signed, and this file is not signed. You have three options:
        </p>
        <ul>
          <li>
            <b>Try it until you close Firefox.</b> Open <code>about:debugging#/runtime/this-firefox</code>, choose{' '}
            <b>Load Temporary Add-on</b>, and select the file. You do not need to unzip it.
          </li>
          <li>
            <b>Have it signed.</b> Upload the file to{' '}
            <a href="https://addons.mozilla.org/developers/" rel="noopener">
              addons.mozilla.org
            </a>{' '}
            with a developer account, and choose to distribute it on your own. Mozilla returns a signed file, which
            every Firefox can install. If the ID of the extension is taken, change it in <code>manifest.json</code>{' '}
            first.
          </li>
          <li>
            <b>Use Firefox Developer Edition, Nightly or ESR.</b> In <code>about:config</code>, set{' '}
            <code>xpinstall.signatures.required</code> to <code>false</code>. Then open <code>about:addons</code>,
            choose <b>Install Add-on From File</b> in the menu with the gear, and select the file. This setting allows
            any unsigned extension.
          </li>
        </ul>
      </section>
    </>
  );
}

function DownloadButton({ file, browser }: { file: string; browser: string }) {
  return (
    <ButtonAnchor
      href={file}
      download
      variant="default"
      leftSection={<Download size={16} aria-hidden />}
      className={styles.download}
    >
      Download for {browser}
    </ButtonAnchor>
  );
}

function Connection() {
  const address = pageState().origin || 'the address of this site';
  return (
    <>
      <p>
        The extension asks the installation that you choose. To choose this one, enter this address in the settings,
        which open after the installation. Or open the popup on any page of this site and press <b>Use</b> with the name
        of this site.
      </p>
      <div className={styles.address}>
        <code>{address}</code>
        <span className={styles.copy}>
          <CopyButton value={address} label="Copy the address of this site" />
        </span>
      </div>
    </>
  );
}

function Privacy() {
  return (
    <>
      <p>The extension never sends the name of a site that you visit or search for. It looks a name up like this:</p>
      <ol>
        <li>It computes the SHA-256 hash of the host in your browser.</li>
        <li>
          It sends only the first 4 or 5 of the 64 hexadecimal digits. Thousands of registered domains share the same
          first 4 digits. For a subdomain it also looks up the domain above it, and hides both among decoys.
        </li>
        <li>
          The server returns all listed hashes that start with these digits. It adds invented ones, so that there are at
          least 50 and the size of the response reveals nothing.
        </li>
        <li>The extension compares them with the whole hash in your browser. Only your browser sees the result.</li>
      </ol>
      <p>
        The server does not log the digits. As with any request, it sees your IP address. If you open the page of a
        domain from the popup or from a mark, you visit this site, and the server sees the name of that domain.
      </p>
    </>
  );
}

const permissions = [
  [
    'The current tab',
    'activeTab',
    'To read the address of the tab when you open the popup, and its links when you scan the page or highlight offers',
  ],
  ['Storage', 'storage', 'To save the address of your installation and your settings'],
  ['Alarms', 'alarms', 'To read every six hours how many digits a lookup must send'],
  ['Search engines', 'Google, Bing, DuckDuckGo', 'To show the marks beside search results'],
  ['Scripts', 'scripting, optional', 'To scan a page or highlight its offers, when you first do that'],
  ['Addresses of tabs', 'tabs, optional', 'To show the risk of every site on the toolbar icon, if you turn that on'],
] as const;

function Permissions() {
  return (
    <>
      <p>The extension gets the first four when you install it, and asks for the others when you first need them.</p>
      <TextTable label={parts.permissions.title} columns={['Permission', 'Why']} className={styles.permissions}>
        {permissions.map(([name, key, reason]) => (
          <tr key={key}>
            <th scope="row">
              {name} <span className={styles.key}>{key}</span>
            </th>
            <td>{reason}</td>
          </tr>
        ))}
      </TextTable>
    </>
  );
}

function Limits() {
  return (
    <ul>
      <li>It does not block pages, hide search results or change links. It only adds marks.</li>
      <li>It does not send the content of a page, your searches or your history, and it collects no statistics.</li>
      <li>It does not use your account. Your reports and websites stay on this site.</li>
      <li>It does not prove that a link was paid for. Check the page before you act.</li>
    </ul>
  );
}
