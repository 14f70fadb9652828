import { type SyntheticEvent, useMemo } from 'react';
import './content.css';
import { languageOf, prepare } from './prepare';

/** The one place where HTML of others gets into the page: what the server sanitised, gone through once more here. */
export function ArticleText({ html, level }: { html: string; level: 1 | 2 }) {
  const { safe, language } = useMemo(() => {
    const safe = prepare(html, level === 1 ? 'h2' : 'h3');
    return { safe, language: languageOf(safe.replace(/<[^>]*>/g, ' ').slice(0, 2_000)) };
  }, [html, level]);
  // Pictures that do not come leave no hole.
  const onError = ({ target }: SyntheticEvent) => {
    if (target instanceof HTMLImageElement) target.classList.add('is-broken');
  };
  return (
    <div
      lang={language}
      dir="auto"
      className="article-text"
      onErrorCapture={onError}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server, prepared above, and under a policy that runs nothing
      dangerouslySetInnerHTML={{ __html: safe }}
    />
  );
}
