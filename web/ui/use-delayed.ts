import { useEffect, useState } from 'react';

/** False at first, true once `wanted` has lasted for `milliseconds`: for spinners that quick answers never show. */
export function useDelayed(wanted = true, milliseconds = 200): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!wanted) return;
    const timer = setTimeout(() => setLate(true), milliseconds);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [wanted, milliseconds]);
  return wanted && late;
}
