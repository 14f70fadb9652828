import { type SyntheticEvent, useLayoutEffect, useRef } from 'react';
import './content.css';
import { languageOf, prepare } from './prepare';

/** The one place where HTML from feeds enters the page: the server has sanitised it, `prepare` sanitises it again. */
export function ArticleText({ html, level }: { html: string; level: 1 | 2 }) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    const text = prepare(html, level === 1 ? 'h2' : 'h3');
    const language = languageOf(text.textContent?.slice(0, 2_000) ?? '');
    if (language) box.lang = language;
    else box.removeAttribute('lang');
    box.replaceChildren(text);
  }, [html, level]);
  // A picture that cannot be loaded leaves no hole.
  const onError = ({ target }: SyntheticEvent) => {
    if (target instanceof HTMLImageElement) target.classList.add('is-broken');
  };
  return <div ref={ref} dir="auto" className="article-text" onErrorCapture={onError} />;
}
