import { type KeyboardEvent, type MouseEvent, type SyntheticEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addCodeTools } from './code-tools';
import './content.css';
import { ImageZoom, type ZoomedImage } from './image-zoom';
import { languageOf, prepare } from './prepare';

/** The one place where HTML from feeds enters the page: the server has sanitised it, `prepare` sanitises it again. */
export function ArticleText({ html, level }: { html: string; level: 1 | 2 }) {
  const { t } = useTranslation('reading');
  const ref = useRef<HTMLDivElement>(null);
  const [zoomed, setZoomed] = useState<ZoomedImage | null>(null);
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    const text = prepare(html, level);
    const language = languageOf(text.textContent?.slice(0, 2_000) ?? '');
    if (language) box.lang = language;
    else box.removeAttribute('lang');
    box.replaceChildren(text);
    return addCodeTools(box, { copy: t('article.copy'), copied: t('article.copied'), wrap: t('article.wrap') });
  }, [html, level, t]);
  const onError = ({ target }: SyntheticEvent) => {
    if (!(target instanceof HTMLImageElement)) return;
    const note = document.createElement('span');
    note.className = 'article-broken';
    note.textContent = [t('article.brokenImage'), target.alt].filter(Boolean).join(' ');
    target.replaceWith(note);
  };
  const zoom = (target: EventTarget): boolean => {
    const canZoom = target instanceof HTMLImageElement && target.tabIndex === 0;
    if (canZoom) setZoomed({ src: target.src, srcSet: target.srcset, alt: target.alt, title: target.title });
    return canZoom;
  };
  const onClick = (event: MouseEvent) => {
    if (zoom(event.target)) return;
    const href = (event.target as Element).closest('a[href^="#"]')?.getAttribute('href');
    if (!href) return;
    // The address of the page stays: it names the item, not a place in it.
    event.preventDefault();
    goTo(ref.current?.querySelector(`[id="${CSS.escape(href.slice(1))}"]`));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.key === 'Enter' || event.key === ' ') && zoom(event.target)) event.preventDefault();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it handles what the links and images inside are for */}
      <div
        ref={ref}
        dir="auto"
        className="article-text"
        onErrorCapture={onError}
        onClick={onClick}
        onKeyDown={onKeyDown}
      />
      <ImageZoom image={zoomed} onClose={() => setZoomed(null)} />
    </>
  );
}

/** Shows a place in the article and gives it the focus, so that it is read out and Tab goes on from there. */
function goTo(place: Element | null | undefined): void {
  if (!(place instanceof HTMLElement)) return;
  if (!place.matches('a[href], [tabindex]')) place.tabIndex = -1;
  place.scrollIntoView({ block: 'center' });
  place.focus({ preventScroll: true });
}
