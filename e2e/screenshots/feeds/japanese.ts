import type { Feed } from './feed.ts';
import { tileSheet } from './long-reads.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

export const kamiToHangi: Feed = {
  key: 'kami-to-hangi',
  title: '紙と版木',
  language: 'ja',
  entries: [
    { ...tileSheet, ago: 66, author: '芦田 澄', categories: ['江戸', '印刷'], bookmarks: 86 },
    {
      title: '版木を洗う日',
      ago: 21 * HOUR,
      author: '芦田 澄',
      bookmarks: 9,
      html: '<p>摺り終えた版木は、その日のうちに水で洗い、日陰で三日乾かす。急ぐと反り、反った版木は二度とまっすぐにはならない。</p>',
    },
    {
      title: '見当という小さな欠き——色がずれない理由',
      ago: 4 * DAY + 60,
      author: '芦田 澄',
      bookmarks: 52,
      html: '<p>版木の隅に彫られた鉤形の欠きに紙を当てるだけで、十枚の版がぴたりと重なる。「見当をつける」の見当は、ここから来ている。</p>',
    },
    {
      title: '墨の黒、煤の黒',
      ago: 6 * DAY + 200,
      author: '三宅 直',
      bookmarks: 17,
      html: '<p>同じ黒でも、松を焚いた煤は青く、菜種油の煤は赤い。見本の紙を窓ぎわに並べると、その違いは夕方にいちばんよく見える。</p>',
    },
  ],
};

export const daidokoroNoRika: Feed = {
  key: 'daidokoro-no-rika',
  title: '台所の理科',
  language: 'ja',
  entries: [
    {
      title: '味噌汁を沸かさない、もうひとつの理由',
      ago: 2 * HOUR,
      author: '日野 みのり',
      bookmarks: 143,
      html: '<p>香りが飛ぶから、とよく言われる。けれど温度計を入れて確かめてみると、先に変わるのは香りではなく舌ざわりのほうだった。</p>',
    },
    {
      title: '米を研ぐ水は何度がよいか',
      ago: DAY + 2 * HOUR,
      author: '日野 みのり',
      bookmarks: 61,
      html: '<p>五度、十五度、三十度の水で研いだ米を、名前を伏せて家族に食べてもらった。結果は、研ぎ方よりも吸わせる時間のほうがずっと大きかった。</p>',
    },
    {
      title: '錆びない鉄鍋は、油ではなく酸化膜でできている',
      ago: 3 * DAY + 100,
      author: '日野 みのり',
      bookmarks: 204,
      html: '<p>新しい鉄鍋を空焼きすると青くなる。あの青が、これから何年も鍋を守る膜の色である。</p>',
    },
    {
      title: '冷蔵庫の野菜室はなぜ湿っているのか',
      ago: 6 * DAY,
      author: '日野 みのり',
      html: '<p>野菜は収穫されたあとも息をしている。野菜室の湿り気の半分は、野菜自身が吐いた水である。</p>',
    },
  ],
};

export const dougubako: Feed = {
  key: 'dougubako',
  title: '道具箱の日記',
  language: 'ja',
  entries: [
    {
      title: 'SQLite を三年動かして、一度も起こされなかった話',
      ago: 4 * HOUR + 20,
      author: '槙 遼',
      categories: ['データベース', '運用'],
      bookmarks: 312,
      html: '<p>書き込みは一列に並べ、読み込みは好きなだけ並べる。それだけを守ったら、小さな台数のまま三年が過ぎた。設定は次の四行である。</p><pre><code>pragma journal_mode = wal;\npragma synchronous = normal;\npragma busy_timeout = 5000;\npragma foreign_keys = on;</code></pre><p>控えは毎晩 <code>vacuum into</code> で取り、月に一度は実際に戻してみる。戻したことのない控えは、まだ控えではない。</p>',
    },
    {
      title: '読みやすいエラーの書き方を、宿の張り紙に学ぶ',
      ago: DAY + 7 * HOUR,
      author: '槙 遼',
      bookmarks: 98,
      html: '<p>「湯が熱いので先に水を足してください」。何が起きているか、どうすればよいか、それだけが書いてある。理由は下に小さく添えてある。</p>',
    },
    {
      title: '端末の幅を八十桁に戻した',
      ago: 4 * DAY + 400,
      author: '槙 遼',
      bookmarks: 45,
      html: '<p>広い画面を買ってから、行がどこまでも伸びるようになっていた。狭くしてみると、長い行よりも長い関数のほうが先に気になりはじめた。</p>',
    },
    {
      title: '依存を一つ減らすまでの二週間',
      ago: 6 * DAY + 700,
      author: '槙 遼',
      bookmarks: 73,
      html: '<p>使っていたのは関数二つだけだった。置き換えは半日で済み、残りの時間は、なぜそれを入れたのかを思い出すのに使った。</p>',
    },
  ],
};

export const toshoshitsu: Feed = {
  key: 'saka-no-toshoshitsu',
  title: '坂の上の図書室',
  language: 'ja',
  entries: [
    {
      title: '返却ポストに入っていた手紙のこと',
      ago: 8 * HOUR,
      author: '図書係',
      bookmarks: 28,
      html: '<p>本のあいだに、便箋が一枚はさまっていた。宛名はない。次に借りる人へ、とだけ書いてある。そのまま戻しておくことにした。</p>',
    },
    {
      title: '十一月の棚——短い話を集めました',
      ago: 2 * DAY + 3 * HOUR,
      author: '図書係',
      bookmarks: 5,
      html: '<p>電車をひと駅乗るあいだに読み終わるものだけを、窓ぎわの棚に並べました。乗り過ごしても大丈夫な話が二つ混ざっています。</p>',
    },
    {
      title: '雨の日の貸出は、いつもの一・四倍',
      ago: 5 * DAY + 300,
      author: '図書係',
      bookmarks: 34,
      html: '<p>昨年の記録を数えなおしました。雨の日は来る人が減り、一人あたりの冊数が増えます。長い小説から先に出ていきます。</p>',
    },
  ],
};

export const yakoressha: Feed = {
  key: 'yako-no-mado',
  title: '夜行列車の窓から',
  language: 'ja',
  entries: [
    {
      title: '午前三時、機関車を付け替える駅で',
      ago: 12 * HOUR,
      author: '早瀬 汀',
      bookmarks: 67,
      html: '<p>客車が静かに止まり、しばらくして小さく揺れる。それで機関車が替わったのだとわかる。ホームには誰もいない。時計だけが明るい。</p>',
    },
    {
      title: '駅弁の掛け紙を三十年集めて',
      ago: 3 * DAY + 600,
      author: '早瀬 汀',
      bookmarks: 120,
      html: '<p>同じ駅の同じ弁当でも、紙の色は年ごとに少しずつ違う。印刷所が替わった年は、裏の糊の匂いでわかる。</p>',
    },
  ],
};

export const nagi: Feed = {
  key: 'nagi-no-kishocho',
  title: '凪の気象帳',
  language: 'ja',
  entries: [
    {
      title: 'けさの霜、平年より四日早く',
      ago: 3 * HOUR + 40,
      author: '海辺の観測所',
      bookmarks: 2,
      html: '<p>六時十分の地上気温は一・八度、芝の上は氷点下二・一度。日が当たると、三分ほどで見えなくなりました。</p>',
    },
    {
      title: '夕焼けの赤さを数字にする試み、二年目',
      ago: DAY + 15 * HOUR,
      author: '海辺の観測所',
      bookmarks: 39,
      html: '<p>同じ窓から、同じ絞りで、毎日一枚。七百枚を並べると、いちばん赤いのは台風の翌日ではなく、その二日後でした。</p>',
    },
    {
      title: '凪はなぜ二度あるのか',
      ago: 5 * DAY + 900,
      author: '海辺の観測所',
      bookmarks: 81,
      html: '<p>海風と陸風が入れ替わるとき、風は一度止まります。朝の凪は短く、夕方の凪は長い。その差は、砂の冷め方にあります。</p>',
    },
  ],
};

/** It has given up: its address says that it is gone for good. */
export const karasudo: Feed = {
  key: 'karasudo',
  title: '古道具 からす堂',
  language: 'ja',
  entries: [
    {
      title: '柱時計が三台、入りました',
      ago: 5 * DAY + 20,
      author: 'からす堂',
      bookmarks: 3,
      html: '<p>二台は動きます。一台は鳴るだけです。鳴るだけのものに、いちばん先にお声がかかりました。</p>',
    },
    {
      title: '店を閉めます',
      ago: 4 * DAY + 20,
      author: 'からす堂',
      bookmarks: 25,
      html: '<p>長いあいだ、ありがとうございました。残った道具は、坂の上の図書室で使っていただけることになりました。</p>',
    },
  ],
};
