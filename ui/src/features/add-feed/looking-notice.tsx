import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** After this time, a second line says that the search goes on. */
const SLOW_MS = 5_000;

/** Says what is looked for at an address and, after a while, that some sites are slow. */
export function LookingNotice({ text }: { text: string }) {
  const { t } = useTranslation('reader');
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" className="animate-late">
      <p className="mb-2 truncate text-ink-2 text-sm">{text}</p>
      <div aria-hidden className="h-1 overflow-hidden rounded-full bg-line">
        <div className="h-full w-full animate-pulse rounded-full bg-accent" />
      </div>
      {isSlow && <p className="mt-2 animate-fade-in text-ink-3 text-sm">{t('add.slow')}</p>}
    </div>
  );
}

/** The host of an address as people paste it. */
export function hostOf(address: string): string {
  const text = address.trim();
  const whole = text.includes('://') ? text : `https://${text}`;
  return URL.canParse(whole) ? new URL(whole).host : text;
}
