// The articles that are opened in the pictures, with everything an article can have in it.

import type { Entry } from './feed.ts';

/** Where the pictures of articles come from; the browser is handed them without a network (../pictures.ts). */
export const PICTURES = 'https://pictures.example';

type Text = Pick<Entry, 'title' | 'html'>;

export const backpressure: Text = {
  title: 'The queue that learned to say no',
  html: `
<p>For two years our import queue said yes to everything. It had one virtue, which is that it never lost a job, and one vice, which is that it never admitted how many it had. On a Monday in March it held eleven million, and the first of them was from Thursday.</p>
<p>This is the story of the forty lines that taught it to refuse, and of the three places where we had to be told no before we believed it.</p>
<figure><img src="${PICTURES}/queue.svg" width="720" height="360" alt="A line of waiting jobs that grows all morning and is gone by noon"><figcaption>Jobs waiting, before (upper line) and after. The area between the two is time that people spent looking at a spinner.</figcaption></figure>
<h2>A queue is a loan</h2>
<p>Every entry is a promise to do something later. Nobody lends without a limit, yet most queues are built without one, because the limit has to be chosen by somebody and whoever chooses it will be wrong. So the limit gets chosen anyway, by the disk.</p>
<blockquote><p>An unbounded queue is a bounded queue whose bound you learn from the incident report.</p></blockquote>
<p>We decided that a job which cannot begin within ten minutes should not be accepted at all. The sender hears about it at once, while it still remembers what it wanted, and can wait, try elsewhere, or tell a person.</p>
<h2>Forty lines</h2>
<p>The whole of it is a comparison before the insert. What took time was finding the number on the right-hand side:</p>
<pre><code>async fn accept(&amp;self, job: Job) -&gt; Result&lt;Ticket, Busy&gt; {
    let wait = self.waiting().await / self.rate();
    if wait &gt; LONGEST_WAIT {
        return Err(Busy { retry_after: wait - LONGEST_WAIT });
    }
    self.insert(job).await
}</code></pre>
<p>The rate is measured over the last minute rather than configured, so that a slow database makes the queue <em>shorter</em>. That is the opposite of what it did before, and it is the only idea in this article.</p>
<h3>What changed</h3>
<table><thead><tr><th>A Monday</th><th>before</th><th>after</th></tr></thead><tbody>
<tr><td>Longest wait</td><td>3 d 4 h</td><td>9 min 50 s</td></tr>
<tr><td>Jobs refused</td><td>0</td><td>4,112</td></tr>
<tr><td>Jobs refused twice</td><td>0</td><td>37</td></tr>
<tr><td>People who wrote to us</td><td>58</td><td>2</td></tr></tbody></table>
<p>Of the four thousand that were refused, nearly all came back within the hour and were accepted. Those that did not come back turned out to be duplicates, a nightly report nobody had read since 2021, and one very patient integration test.</p>
<h2>Where we heard no</h2>
<ul><li>From the billing team, who wanted their jobs to be exempt. They got a queue of their own, with a limit of its own.</li><li>From the load balancer, which retried refusals immediately and five times. <code>Retry-After</code> is a header one has to read.</li><li>From ourselves, because <a href="https://slow-software.example/refusing">refusing felt rude</a>. It turns out that silence is ruder.</li></ul>

<p>Ten minutes is how long the slowest of our senders waits before it gives up. Ask yours.</p>`,
};

export const paper: Text = {
  title: 'Two hundred years of the same sheet',
  html: `
<p>In a drawer of the county archive lies a handbill for a circus that came through in 1824. It was printed in a night, pasted up in the rain, and meant to last until Saturday. The paper is as white as the day it was made.</p>
<p>The ledgers on the shelf above, bought at ten times the price in 1890, fall apart when they are opened. The difference is not care, or luck. It is what the mill put into the vat.</p>
<figure><img src="${PICTURES}/mill.svg" width="720" height="400" alt="A mill by a river, with sheets hung up to dry"><figcaption>Sheets hung in the loft of the lower mill, after a sketch of 1831.</figcaption></figure>
<h2>Rags</h2>
<p>The handbill was a shirt once. Linen that has been worn and washed for years is already broken down into long, clean fibres; the mill only has to beat it, and the sheet that comes off the mould is almost pure cellulose. There is nothing in it that would like to become something else.</p>
<blockquote><p>We make nothing. We take the weave out of cloth, and the river does the rest.</p><footer>— from the day-book of the mill, 1819</footer></blockquote>
<h2>Alum</h2>
<p>The ledger was a spruce. To keep ink from spreading, wood pulp was sized with rosin, and the rosin fixed with alum; in damp air, alum lets go of a little acid every year. Fold the corner of such a page twice and it comes off in your hand.</p>
<ol><li>Look at the edges first: brown comes from outside.</li><li>Smell it. Vinegar is film, vanilla is lignin.</li><li>Do not fold the corner. Everybody wants to fold the corner.</li></ol>
<p>Conservators can wash the acid out, sheet by sheet, and leave a little chalk behind for the next century. It costs more than the ledger did. The circus needs nothing.</p>`,
};

export const tileSheet: Text = {
  title: '瓦版はどう売られたか——読売の声と一枚の紙',
  html: `
<p>江戸の町で事件が起きると、早ければその日のうちに一枚の摺り物が出た。火事、地震、仇討ち、珍しい魚。今日ではまとめて「瓦版」と呼ばれるが、当時の人びとは多くの場合それを「読売」と呼んでいた。名前のとおり、読んで聞かせながら売ったからである。</p>
<figure><img src="${PICTURES}/reader.svg" width="720" height="400" alt="編み笠をかぶった二人の読売と、耳を傾ける町の人びと"><figcaption>二人一組の読売。ひとりが読み、ひとりがあたりに目を配った。</figcaption></figure>
<h2>声が先、紙があと</h2>
<p>読売はたいてい二人で辻に立った。編み笠を深くかぶり、細い棒で紙を叩きながら、節をつけて書き出しを読む。肝心なところまで来ると声を落とし、続きは買ってのお楽しみ、となる。見出しと続きの関係は、このころからあまり変わっていない。</p>
<blockquote><p>さあさあ、ゆうべの大事件、くわしくはこの一枚に。</p></blockquote>
<p>値段は半紙一枚摺りでおよそ四文ほど、そば一杯の四分の一にあたる。絵の入った大判や、何枚も綴じたものはもっと高かった。</p>
<h2>瓦で摺ったのか</h2>
<p>粘土に彫って焼いた版で摺ったという説明は広く知られているが、残っているもののほとんどは木版である。急ぎの仕事では、一枚の版木を何人かで切り分けて彫り、あとで合わせた。継ぎ目が白い筋になって残っているものもある。</p>
<table><thead><tr><th>仕事</th><th>受け持ち</th><th>かかる時間の目安</th></tr></thead><tbody><tr><td>文と下絵</td><td>版元</td><td>一刻</td></tr><tr><td>彫り</td><td>彫師、急ぎは数人</td><td>半日</td></tr><tr><td>摺り</td><td>摺師</td><td>一日に千枚あまり</td></tr><tr><td>売り</td><td>読売、二人一組</td><td>売り切れるまで</td></tr></tbody></table>
<h2>紙のゆくえ</h2>
<p>読み終えた紙は襖の下張りになり、包み紙になり、やがて漉き返されてまた紙になった。何万枚と摺られたはずのものが、いま数えるほどしか残っていないのはそのためである。残ったのは、たまたま<a href="https://kami-to-hangi.example/shitabari">襖の内側で眠っていたもの</a>だった。</p>
<ul><li>版元の名は書かないのがふつうだった。</li><li>日付も、多くは書かれていない。</li><li>それでも火事の広がりを示す地図は、驚くほど正確である。</li></ul>
<p>急いで作られ、すぐに捨てられるはずだった紙が、町のいちばん細かな記録になった。</p>`,
};
