import { useState } from 'react';
import { browser } from 'wxt/browser';
import { readRangeInfo } from '../../installation.ts';
import { saveSettings } from '../../settings.ts';
import { getErrorMessage } from '../../texts.ts';

/** Asks for the installation. The page on which the popup was opened may be one. */
export function SetUp({ page, onSetUp }: { page: URL | undefined; onSetUp(): void }) {
  const [state, setState] = useState<{ isBusy: boolean; error?: string }>({ isBusy: false });
  const use = async (origin: string) => {
    setState({ isBusy: true });
    try {
      await readRangeInfo(origin);
      await saveSettings({ origin });
      onSetUp();
    } catch (error) {
      setState({ isBusy: false, error: getErrorMessage(error) });
    }
  };
  return (
    <section aria-labelledby="set-up">
      <h1 id="set-up">Choose your Linksieve</h1>
      <p>The extension checks sites against the blacklist of a Linksieve installation. It needs no account.</p>
      {page && (
        <>
          <button type="button" className="primary" disabled={state.isBusy} onClick={() => void use(page.origin)}>
            Use {page.host}
          </button>
          <p className="dim">Press this on a page of the installation.</p>
        </>
      )}
      <button type="button" onClick={() => void browser.runtime.openOptionsPage()}>
        Enter an address
      </button>
      {state.error !== undefined && <p role="alert">{state.error}</p>}
    </section>
  );
}
