import type { welcome as english } from '../en/welcome';
import type { WordsLike } from '../words';

export const welcome = {
  title: 'ようこそ',
  headline: '何を読みますか？',
  lead: 'はじめ方は三つあります。どれも後からもう一度使えます。',
  address: {
    title: 'アドレスを貼り付ける',
    text: 'ブログやニュースサイト、フィードのアドレスを入力すると、フィードを自動で探します。',
    label: 'アドレス',
    placeholder: 'example.com',
    submit: 'フィードを探す',
  },
  opml: {
    title: 'フィードをインポート',
    text: 'ほとんどのリーダーは、購読一覧を OPML ファイルにエクスポートできます。',
  },
  starters: {
    title: 'ここから選ぶ',
    text: '長く続いているものを集めました。分野ごとにフォルダーができます。',
    language: 'フィードの言語',
    choose_other: '{{count}} 件を選択中',
    none: 'まだ選んでいません',
    add: '追加する',
  },
  topics: { news: 'ニュース', technology: '技術', programming: 'プログラミング', science: '科学', culture: '文化' },
  skip: 'スキップ',
  enough: '読み始める',
} as const satisfies WordsLike<typeof english>;
