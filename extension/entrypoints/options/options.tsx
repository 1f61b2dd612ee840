import { type FormEvent, useEffect, useState } from 'react';
import { browser } from 'wxt/browser';
import { Brand } from '../../brand.tsx';
import { parseOrigin, readRangeInfo } from '../../installation.ts';
import { onSettingsChange, readSettings, type Settings, saveSettings } from '../../settings.ts';
import { getErrorMessage, plural } from '../../texts.ts';

export function Options() {
  const [settings, setSettings] = useState<Settings>();
  useEffect(() => {
    const load = () => void readSettings().then(setSettings);
    load();
    onSettingsChange(load);
  }, []);
  const change = (changes: Partial<Settings>) => {
    // A checkbox must not wait for the storage.
    setSettings((before) => before && { ...before, ...changes });
    return saveSettings(changes);
  };
  return (
    <>
      <header>
        <Brand />
        <h1>Settings</h1>
      </header>
      <main>
        {settings && (
          <>
            <Address origin={settings.origin} />
            <Where settings={settings} onChange={change} />
            <Privacy />
          </>
        )}
      </main>
    </>
  );
}

type Result = { isError: boolean; text: string };

function Address({ origin }: { origin: string | null }) {
  const [text, setText] = useState(origin ?? '');
  const [result, setResult] = useState<Result>();
  const [isBusy, setBusy] = useState(false);
  // The popup can set the address too.
  useEffect(() => setText(origin ?? ''), [origin]);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setResult(await connect(text));
    setBusy(false);
  };
  return (
    <section aria-labelledby="address">
      <h2 id="address">Your Linksieve</h2>
      <form onSubmit={(event) => void save(event)} noValidate>
        <label htmlFor="origin">Address of the installation</label>
        <div className="field">
          <input
            id="origin"
            type="url"
            value={text}
            placeholder="https://linksieve.example"
            autoComplete="off"
            spellCheck={false}
            aria-describedby="result"
            aria-invalid={result?.isError}
            onChange={(event) => setText(event.target.value)}
          />
          <button type="submit" className="primary">
            {isBusy ? 'Connecting…' : 'Save'}
          </button>
        </div>
        <p id="result" role="status" data-error={result?.isError || undefined}>
          {result?.text ??
            (origin === null ? 'Paste the address from the page about the extension.' : 'No account is needed.')}
        </p>
      </form>
    </section>
  );
}

/** Saves an address, if there is an installation. */
async function connect(text: string): Promise<Result> {
  try {
    const origin = parseOrigin(text);
    const { domains } = await readRangeInfo(origin);
    await saveSettings({ origin });
    return { isError: false, text: `Connected. ${plural(domains, 'domain')} on the blacklist.` };
  } catch (error) {
    return { isError: true, text: getErrorMessage(error) };
  }
}

interface WhereProps {
  settings: Settings;
  onChange(changes: Partial<Settings>): Promise<unknown>;
}

function Where({ settings, onChange }: WhereProps) {
  const [isRefused, setRefused] = useState(false);
  const showEverySite = async (showsEverySite: boolean) => {
    const permissions = { permissions: ['tabs'] as 'tabs'[] };
    const isGranted = showsEverySite ? await browser.permissions.request(permissions) : false;
    if (!showsEverySite) await browser.permissions.remove(permissions);
    setRefused(showsEverySite && !isGranted);
    await onChange({ showsEverySite: isGranted });
  };
  return (
    <section aria-labelledby="where">
      <h2 id="where">Where the risk is shown</h2>
      <label className="check">
        <input
          type="checkbox"
          checked={settings.marksResults}
          onChange={(event) => void onChange({ marksResults: event.target.checked })}
        />
        <span>
          Beside results of Google, Bing and DuckDuckGo
          <small>Applies to result pages that you open from now on.</small>
        </span>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={settings.showsEverySite}
          onChange={(event) => void showEverySite(event.target.checked)}
        />
        <span>
          On the toolbar icon, for every site that you open
          <small>
            The browser asks for the permission to read the addresses of your tabs. Without it, a site is checked when
            you open the popup.
          </small>
        </span>
      </label>
      {isRefused && <p role="alert">Permission denied. Nothing changed.</p>}
    </section>
  );
}

function Privacy() {
  return (
    <section aria-labelledby="privacy">
      <h2 id="privacy">What leaves your browser</h2>
      <p>
        The name of a site only leaves it when you open the page of a listed domain on your Linksieve. The extension
        computes the SHA-256 hash of the name and sends its first digits. The response contains all listed hashes that
        start with them, and others that fill it up. The extension compares them here. The installation does not log the
        digits.
      </p>
    </section>
  );
}
