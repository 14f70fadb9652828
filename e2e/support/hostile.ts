// Texts that try to run something, to leave their place or to tell somebody who reads them. Most are the ones that the
// sanitiser's own tests use; here they meet a real browser.

import { readFileSync } from 'node:fs';
import path from 'node:path';

const ATTACKS = path.resolve(import.meta.dirname, '../../crates/feed/src/sanitize/tests/attacks');
const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', '0': '\0', '"': '"', '\\': '\\' };

/** The strings of a list in a file of Rust. */
function listIn(file: string, name: string): string[] {
  const source = readFileSync(path.join(ATTACKS, file), 'utf8');
  const list = source.split(`const ${name}: &[&str] = &[`)[1]?.split('\n];')[0] ?? '';
  const found = [...list.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, text]) =>
    text.replace(/\\u\{([0-9a-f]+)\}|\\(.)/g, (_, code, letter) =>
      code ? String.fromCodePoint(Number.parseInt(code, 16)) : (ESCAPES[letter] ?? letter),
    ),
  );
  if (found.length < 10) throw new Error(`${file} has no list ${name} any more`);
  return found;
}

/** What those do not try, because it is a matter of browsers and pages and not of markup. */
const OF_PAGES = [
  '<p style="position:fixed;inset:0;z-index:99999;background:red">over everything</p>',
  '<div class="fixed inset-0 z-50 bg-accent" id="root">our own classes</div>',
  '<p id="main">a</p><p id="root">b</p><a name="location" id="navigator" href="https://x.example/">c</a>',
  '<form name="kawarabanEarly"><input name="get" value="x"></form><img id="history" name="cookie" src="https://x.example/i.png">',
  '<a href="https://x.example/" target="_self" rel="opener">back to the opener</a>',
  '<a href="//x.example/y" ping="https://x.example/ping">ping</a><a href="/api/users/me">here</a><a href="#main">fragment</a>',
  '<img src="https://x.example/pixel.gif" width="1" height="1"><img src="http://x.example/plain.png">',
  '<img src="https://x.example/a.png" srcset="http://x.example/b.png 2x, https://x.example/c.png 3x" sizes="100vw">',
  '<picture><source srcset="http://x.example/s.png"><img src="https://x.example/d.png"></picture>',
  '<audio autoplay src="https://x.example/a.mp3"></audio><video autoplay poster="https://x.example/p.png" src="https://x.example/v.mp4"></video>',
  '<link rel="preload" as="image" href="https://x.example/l.png"><link rel="prefetch" href="https://x.example/p">',
  '<style>@import url(https://x.example/i.css);body{display:none}</style><p style="background:url(https://x.example/b.png)">x</p>',
  '<meta http-equiv="refresh" content="0;url=https://x.example/"><base href="https://x.example/">',
  '<iframe srcdoc="<script>parent.ran()</script>"></iframe><embed src="https://x.example/e.swf"><object data="https://x.example/o"></object>',
  '<script>ran()</script><img src=x onerror=ran()><svg onload=ran()><details open ontoggle=ran()><body onpageshow=ran()>',
  '<p>\u202Egnp.exe\u202C \u2066hidden\u2069 zero\u200B\u200Cwidth\u200D \uFEFF</p>',
  `${'<div>'.repeat(3_000)}deep${'</div>'.repeat(3_000)}`,
  `${'<blockquote>'.repeat(600)}quoted<script>ran()</script>`,
  `<p>${'<b><i>'.repeat(500)}crossed</p>${'</b></i>'.repeat(500)}<img src=x onerror=ran()>`,
  `<table>${'<tr><td>'.repeat(200)}<script>ran()</script>`,
  '<p>unclosed <!-- <img src=x onerror=ran()>',
  '<title>unclosed <img src=x onerror=ran()>',
  '<textarea>unclosed <img src=x onerror=ran()>',
  '<![CDATA[ <img src=x onerror=ran()>',
  '<button popovertarget="x" command="show-modal" commandfor="y">x</button><dialog id="y" open>y</dialog><div popover id="x">x</div>',
  '<a href="https://x.example/" download autofocus tabindex="1" accesskey="j" contenteditable>x</a><input autofocus>',
  '<math><mi onclick=ran()>x</mi><annotation-xml encoding="text/html"><img src=x onerror=ran()></annotation-xml></math>',
  '<math href="javascript:ran()"><mtext><img src=x onerror=ran()></mtext><maction actiontype="statusline#ran">y</maction></math>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=ran()&gt;"></table></mtext></math>',
  '<ruby><rt><script>ran()</script><rp onclick=ran()>(</ruby><details open ontoggle=ran()><summary onclick=ran()>s</summary>t</details>',
  '<table background="https://x.example/t.png"><caption onclick=ran()>c</caption><tr><th scope="javascript:ran()" colspan="1e9">h',
  '<p id="article-x" onfocus=ran() tabindex=0 autofocus>x</p><a href="#article-x" onclick=ran()>y</a><a href="#main">z</a>',
  '<pre class="language-js language-&quot;onclick=ran()"><code class="language-js">&lt;img src=x onerror=ran()&gt;</code></pre>',
  '<figure onclick=ran()><img srcset="javascript:ran() 2x, https://x.example/i.png 1x" src="https://x.example/i.png" title="<img src=x onerror=ran()>"></figure>',
  '<time datetime="2026&quot; onclick=ran()">t</time><abbr title="&quot;><img src=x onerror=ran()>">a</abbr><bdo dir="rtl" onclick=ran()>b</bdo>',
];

/** Feeds are XML, in which these letters cannot be. */
const isWritable = (text: string) => [...text].every((letter) => letter >= ' ' || '\t\n\r'.includes(letter));

/** Texts of articles, with several attempts in each. */
export function hostileTexts(): string[] {
  const fill = (holders: string[], values: string[]) =>
    holders.flatMap((holder) => values.map((value) => holder.replaceAll('@', value)));
  const addresses = fill(listIn('attributes.rs', 'SCHEME_HOLDERS'), listIn('attributes.rs', 'SCHEMES'));
  const handlers = fill(listIn('attributes.rs', 'HANDLER_HOLDERS'), listIn('attributes.rs', 'HANDLERS'));
  return [
    ...OF_PAGES,
    ...together(listIn('structures.rs', 'STRUCTURES'), 6),
    ...together(addresses, 400),
    ...together(handlers, 300),
  ];
}

function together(attempts: string[], size: number): string[] {
  const writable = attempts.filter(isWritable);
  return Array.from({ length: Math.ceil(writable.length / size) }, (_, at) =>
    writable.slice(at * size, (at + 1) * size).join('<p>·</p>'),
  );
}
