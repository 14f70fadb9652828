// One article with everything that articles may contain.

const MATH =
  '<math display="block" alttext="x = (−b ± √(b² − 4ac)) / 2a"><mi>x</mi><mo>=</mo><mfrac><mrow><mo>−</mo><mi>b</mi><mo>±</mo>' +
  '<msqrt><mrow><msup><mi>b</mi><mn>2</mn></msup><mo>−</mo><mn>4</mn><mi>a</mi><mi>c</mi></mrow></msqrt></mrow>' +
  '<mrow><mn>2</mn><mi>a</mi></mrow></mfrac></math>';
const WIDE = Array.from({ length: 12 }, (_, at) => `<th>Column${at}</th>`).join('');

/** `picture` is the address of an image, `broken` one that does not answer. */
export const everything = (picture: string, broken: string) => `
<h1>Water</h1>
<p>H<sub>2</sub>O boils at <del>90</del> <ins>100</ins> °C<sup><a href="#fn1" id="ref1">1</a></sup>. Press <kbd>Ctrl</kbd>, type
<code>boil()</code>, say <q>enough</q>. <mark>Marked</mark>, <small>small</small>, <u>underlined</u>, <s>struck</s>,
<abbr title="World Health Organization">WHO</abbr>, <time datetime="2026-11-18">today</time>, <cite>A Book</cite>.</p>
<h2>Numbers <a href="#numbers">#</a></h2>
<table><caption>Sales</caption><thead><tr><th>Product</th><th>Units</th></tr></thead>
<tbody><tr><td>Tea</td><td>1,200</td></tr><tr><td>Coffee</td><td>85</td></tr></tbody></table>
<table><thead><tr>${WIDE}</tr></thead><tbody><tr>${WIDE.replaceAll('th>', 'td>')}</tr></tbody></table>
<h3>A formula</h3>${MATH}
<h3>Code</h3>
<table class="highlight"><tr><td class="gutter"><pre>1
2</pre></td><td><pre><code class="language-rust">fn main() {
    println!("{}", "a very long line of code that does not fit into a narrow column of text at all");</code></pre></td></tr></table>
<dl><dt>Term</dt><dd>Its meaning</dd></dl>
<details><summary>More</summary><p>Hidden at first.</p></details>
<ol start="3" type="a"><li>three</li><li value="7">seven</li></ol>
<ul><li><input type="checkbox" checked> done</li><li><input type="checkbox"> open</li></ul>
<p lang="ja"><ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>を読む。</p>
<div dir="rtl" lang="he"><p>שלום עולם</p></div>
<hr>
<figure><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="${picture}" width="600" height="400" alt="A red square"><figcaption>A caption</figcaption></figure>
<p><img src="${broken}" alt="A lost picture"></p>
<ol><li id="fn1">At sea level. <a href="#ref1">↩</a></li></ol>`;
