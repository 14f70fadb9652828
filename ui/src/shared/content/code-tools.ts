export type CodeWords = Readonly<{ copy: string; copied: string; wrap: string }>;

/** Buttons above each block of code, and colours for a language that is known; loaded when the code is on screen. */
export function addCodeTools(article: Element, words: CodeWords): () => void {
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      void color(target);
    }
  });
  for (const pre of article.querySelectorAll('pre')) {
    const box = document.createElement('div');
    box.className = 'article-code';
    box.dir = 'ltr';
    pre.replaceWith(box);
    box.append(tools(pre, words), pre);
    // Wide code scrolls, also with the keyboard.
    pre.tabIndex = 0;
    if (pre.className.startsWith('language-')) seen.observe(pre);
  }
  return () => seen.disconnect();
}

function tools(pre: Element, words: CodeWords): Element {
  const bar = document.createElement('div');
  bar.className = 'article-code-tools';
  const wrap = button(words.wrap);
  wrap.setAttribute('aria-pressed', 'false');
  wrap.addEventListener('click', () => {
    wrap.setAttribute('aria-pressed', String(pre.classList.toggle('is-wrapped')));
  });
  const copy = button(words.copy);
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent);
    copy.textContent = words.copied;
    setTimeout(() => {
      copy.textContent = words.copy;
    }, 2_000);
  });
  bar.append(wrap, copy);
  return bar;
}

function button(label: string): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = label;
  return made;
}

async function color(pre: Element): Promise<void> {
  const { highlight } = await import('./highlight');
  const colored = highlight(pre.textContent, pre.className.replace('language-', '').replace(' is-wrapped', ''));
  if (colored) pre.replaceChildren(colored);
}
