/**
 * Checks domains against a Linksieve blacklist in Google Sheets. Paste this file into Extensions > Apps Script, reload
 * the spreadsheet and choose Linksieve > Settings…. Then enter, for example, =LINKSIEVE(A2:A).
 *
 * Functions whose names end with _ cannot be used in cells.
 *
 * @OnlyCurrentDoc
 */

// biome-ignore-all lint/correctness/noUnusedVariables: Google Sheets calls functions by their names

/** What the function can return for each cell, in the default order. */
const LINKSIEVE_COLUMNS = {
  risk: (check) => (check.listed ? check.riskLevel : 'not listed'),
  confidence: (check) => check.confidence,
  domain: (check) => check.matchedDomain,
  sources: (check) => check.independentSourceCount,
  since: (check) => check.dateAdded?.slice(0, 10),
};

/** The limit of the API for one call. */
const LINKSIEVE_MAX_NAMES = 500;

/** Longer texts are cut off. Their host is at the start, and 500 of them fit into a call. */
const LINKSIEVE_MAX_LENGTH = 1000;

/** The longest time that Google keeps a value. */
const LINKSIEVE_CACHE_SECONDS = 6 * 60 * 60;

/** No retry starts later: Google stops a custom function after 30 seconds. */
const LINKSIEVE_RETRY_SECONDS = 20;

/**
 * Checks domains or URLs against the Linksieve blacklist.
 *
 * @param {A2:A100} names A cell or a range with domains or URLs.
 * @param {"risk, since"} columns Optional: what to return, in this order. Any of risk, confidence, domain, sources and
 * since. All of them by default.
 * @param {F1} refresh Optional: a cell whose changes calculate the formula again, such as a checkbox.
 * @return {string[][]} A row for each cell: the risk level, the confidence, the listed domain, the number of independent
 * sources and the date of listing. Empty cells give empty rows.
 * @customfunction
 */
function LINKSIEVE(names, columns) {
  const selected = readColumns_(columns);
  const cells = [names].flat(2).map(toName_);
  const checks = checkNames_(cells.filter(Boolean));
  return cells.map((name) => toRow_(checks.get(name), selected));
}

/** Adds the menu when the spreadsheet opens. */
function onOpen() {
  SpreadsheetApp.getUi()
    .createMenu('Linksieve')
    .addItem('Settings…', 'editLinksieveSettings')
    .addItem('Clear cache', 'clearLinksieveCache')
    .addToUi();
}

/** Asks for the address and the API key, stores them, and checks them with a call that costs nothing. */
function editLinksieveSettings() {
  const ui = SpreadsheetApp.getUi();
  const stored = readSettings_();
  const ask = (text) => {
    const response = ui.prompt('Linksieve', text, ui.ButtonSet.OK_CANCEL);
    return response.getSelectedButton() === ui.Button.OK ? response.getResponseText().trim() : null;
  };
  const current = stored.address ? `\n\nLeave this empty to keep ${stored.address}.` : '';
  const address = ask(`The address of Linksieve, such as https://links.example.com${current}`);
  if (address === null) return;
  const origin = /^https:\/\/[^/?#@\s]+/i.exec(address || stored.address || '')?.[0];
  if (!origin) return ui.alert('The address must start with https://.');
  // A key is never sent to another address than the one it was entered for.
  const isKept = stored.key && origin === stored.address;
  const key = ask(
    `An API key of your Linksieve account with the scope check${isKept ? '. Leave this empty to keep the current one.' : ''}\n\n` +
      'Everyone who can edit this spreadsheet can use this key, and can read it with a script. Use a separate key, and ' +
      'delete it in your account when it is no longer needed.',
  );
  if (key === null) return;
  const settings = { address: origin, key: key || (isKept ? stored.key : ''), cache: newCacheName_() };
  PropertiesService.getDocumentProperties().setProperties(settings);
  try {
    const { remaining, dailyLimit } = callLinksieve_(settings, '/api/v1/usage');
    ui.alert(`Linksieve is ready. ${remaining} of ${dailyLimit} requests are left today.`);
  } catch (error) {
    ui.alert(error.message);
  }
}

/** Makes the next calculation check every name again. */
function clearLinksieveCache() {
  PropertiesService.getDocumentProperties().setProperty('cache', newCacheName_());
  SpreadsheetApp.getUi().alert('The cache is empty. A formula is calculated again when one of its cells changes.');
}

/** Google has no call that empties a cache, so the keys of a new cache have another prefix. */
function newCacheName_() {
  return Utilities.getUuid().slice(0, 8);
}

/** The settings are stored with the spreadsheet, because a custom function sees only the user properties of its owner. */
function readSettings_() {
  return PropertiesService.getDocumentProperties().getProperties();
}

/** Returns the selected columns. A range or a list separated by commas is accepted. */
function readColumns_(columns) {
  const names = [columns ?? '']
    .flat(2)
    .flatMap((text) => String(text).split(','))
    .map((text) => text.trim().toLowerCase())
    .filter(Boolean);
  const all = Object.keys(LINKSIEVE_COLUMNS);
  const unknown = names.find((name) => !all.includes(name));
  if (unknown) throw new Error(`There is no column "${unknown}". Use ${all.join(', ')}.`);
  return names.length > 0 ? names : all;
}

/** Returns the text to check: trimmed, and a usual URL reduced to its host, because each different text costs a request. */
function toName_(cell) {
  const text = String(cell ?? '')
    .trim()
    .slice(0, LINKSIEVE_MAX_LENGTH);
  return /^https?:\/\/([\p{L}\p{M}\p{N}.-]+)(?:[/?#]|$)/iu.exec(text)?.[1] ?? text;
}

/** Returns the row of a cell. The sentence about an invalid name is in the first column. */
function toRow_(check, selected) {
  if (check?.error) return selected.map((_, index) => (index === 0 ? check.error : ''));
  return selected.map((name) => (check && LINKSIEVE_COLUMNS[name](check)) ?? '');
}

/**
 * Returns the results by name. Names that are not in the cache are checked. The results of each call are stored before
 * the next call, so that a later failure does not waste them.
 */
function checkNames_(names) {
  const checks = new Map();
  if (names.length === 0) return checks;
  const settings = readSettings_();
  if (!settings.address || !settings.key) {
    throw new Error('Choose Linksieve > Settings in the menu, and enter the address and an API key.');
  }
  const deadline = Date.now() + LINKSIEVE_RETRY_SECONDS * 1000;
  const cache = CacheService.getDocumentCache();
  const keys = new Map(names.map((name) => [name, toCacheKey_(settings, name)]));
  const stored = cache.getAll([...keys.values()]);
  const missing = [];
  for (const [name, key] of keys) {
    if (stored[key]) checks.set(name, JSON.parse(stored[key]));
    else missing.push(name);
  }
  while (missing.length > 0) {
    const domains = missing.splice(0, LINKSIEVE_MAX_NAMES);
    const { results } = callLinksieve_(settings, '/api/v1/check/bulk', { domains }, deadline);
    const fresh = domains.map((name, index) => [name, results[index]]);
    for (const [name, check] of fresh) checks.set(name, check);
    const values = fresh.map(([name, check]) => [keys.get(name), JSON.stringify(check)]);
    cache.putAll(Object.fromEntries(values), LINKSIEVE_CACHE_SECONDS);
  }
  return checks;
}

/** A key of the cache can have 250 characters, so it contains a hash of the name. */
function toCacheKey_({ cache }, name) {
  const hash = Utilities.computeDigest(Utilities.DigestAlgorithm.SHA_256, name, Utilities.Charset.UTF_8);
  return `${cache}:${Utilities.base64Encode(hash)}`;
}

/**
 * Makes a call and returns its result. While the server is busy, repeats the call until the deadline.
 * @throws {Error} a sentence that says what to do
 */
function callLinksieve_({ address, key }, path, body, deadline = 0) {
  for (let attempt = 0; ; attempt++) {
    const response = fetch_(address + path, {
      method: body ? 'post' : 'get',
      contentType: 'application/json',
      headers: { 'X-API-Key': key },
      ...(body && { payload: JSON.stringify(body) }),
      // A redirect could send the key to another site.
      followRedirects: false,
      muteHttpExceptions: true,
    });
    const status = response.getResponseCode();
    const result = parseJson_(response.getContentText());
    if (status === 200 && result) return result;
    const isBusy = status === 429 || status >= 500;
    const waitMs = 1000 * (Number(findHeader_(response, 'retry-after')) || 2 ** attempt);
    if (!isBusy || Date.now() + waitMs > deadline) throw new Error(describeFailure_(address, status, result));
    Utilities.sleep(waitMs);
  }
}

function fetch_(url, options) {
  try {
    return UrlFetchApp.fetch(url, options);
  } catch (error) {
    throw new Error(
      `Google could not reach ${url}. Check the address in Linksieve > Settings. It must be public. (${error.message})`,
    );
  }
}

function findHeader_(response, name) {
  return Object.entries(response.getAllHeaders()).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** Returns undefined for a text that is not JSON, such as a page of another server. */
function parseJson_(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeFailure_(address, status, result) {
  if (!result?.error) {
    return `${address} responded with status ${status}, but not like Linksieve. Check the address in Linksieve > Settings.`;
  }
  return status === 401 ? `${result.error} Then enter it in Linksieve > Settings.` : result.error;
}
