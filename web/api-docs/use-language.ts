import { createContext, useContext, useState } from 'react';

const storageKey = 'linksieve-api-language';

/** The language in which somebody reads examples, one for all of them, and how another is chosen. */
export const LanguageChoice = createContext<{ language: string; choose: (label: string) => void }>({
  language: '',
  choose: () => undefined,
});

export const useLanguage = () => useContext(LanguageChoice);

/** The choice is kept on this device. @param first the label of the language for those who have not chosen */
export function useLanguageChoice(first: string) {
  const [language, setLanguage] = useState(() => kept() ?? first);
  const choose = (label: string) => {
    setLanguage(label);
    try {
      localStorage.setItem(storageKey, label);
    } catch {
      // Storage is switched off: the choice lasts as long as the page.
    }
  };
  return { language, choose };
}

function kept(): string | undefined {
  if (import.meta.env.SSR) return undefined;
  try {
    return localStorage.getItem(storageKey) ?? undefined;
  } catch {
    return undefined;
  }
}
