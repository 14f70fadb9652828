import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { parseHtml } from '../lib/trusted';

const languages = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language);

/** Longer code would take noticeable time. */
const MAX_LENGTH = 50_000;

/** Code as nodes with a `span` around each keyword, string and so on; null without a known language. */
export function highlight(code: string, language: string): DocumentFragment | null {
  if (code.length > MAX_LENGTH || !highlighter.getLanguage(language)) return null;
  const parsed = parseHtml(highlighter.highlight(code, { language, ignoreIllegals: true }).value);
  const made = parsed.createDocumentFragment();
  copy(parsed.body, made);
  return made;
}

/** Only text and spans with the classes of the highlighter. */
function copy(from: Element, to: ParentNode & Node): void {
  for (const node of from.childNodes) {
    if (!(node instanceof Element)) {
      to.append(node.textContent ?? '');
      continue;
    }
    const span = from.ownerDocument.createElement('span');
    span.className = [...node.classList].filter((name) => name.startsWith('hljs-')).join(' ');
    to.append(span);
    copy(node, span);
  }
}
