import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Offer } from './use-add-feed';

type OfferListProps = {
  title: string;
  offers: readonly Offer[];
  chosen: readonly string[];
  onChange: (urls: readonly string[]) => void;
  isPresent: (url: string) => boolean;
  isDisabled: boolean;
};

/** The feeds that an address leads to, to choose from. */
export function OfferList({ title, offers, chosen, onChange, isPresent, isDisabled }: OfferListProps) {
  const { t } = useTranslation('reader');
  const list = useRef<HTMLUListElement>(null);
  // The list replaces the box that had the focus.
  useEffect(() => list.current?.querySelector<HTMLElement>('input:enabled')?.focus(), []);
  const toggle = (url: string) =>
    onChange(chosen.includes(url) ? chosen.filter((one) => one !== url) : [...chosen, url]);
  return (
    <fieldset disabled={isDisabled}>
      <legend className="mb-2 font-medium text-sm">{title}</legend>
      <ul ref={list} className="divide-y divide-line overflow-hidden rounded-lg border border-line">
        {offers.map((offer) => (
          <li key={offer.url}>
            <label className="flex min-h-12 cursor-pointer items-center gap-3 px-3 py-2 hover:bg-hover has-checked:bg-accent-soft has-disabled:cursor-default has-disabled:opacity-60">
              <input
                type="checkbox"
                className="size-4 shrink-0 accent-(--accent)"
                checked={chosen.includes(offer.url)}
                disabled={isPresent(offer.url)}
                onChange={() => toggle(offer.url)}
              />
              <span className="min-w-0 flex-1">
                <span className="flex items-baseline gap-2">
                  <span className="truncate font-medium">{offer.title || offer.url}</span>
                  <span className="shrink-0 text-ink-3 text-xs">{t(`add.kinds.${offer.kind}`)}</span>
                </span>
                <span className="block truncate text-ink-3 text-sm">
                  {isPresent(offer.url) ? t('add.present') : offer.url}
                </span>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
