import type { signIn as english } from '../en/sign-in';
import type { WordsLike } from '../words';

export const signIn = {
  title: 'ログイン',
  lead: 'あなたのための、小さな新聞。',
  email: 'メールアドレス',
  password: 'パスワード',
  newPassword: 'パスワード',
  name: '名前',
  nameHint: '画面での呼び名です。省略できます。',
  submit: 'ログイン',
  with: '{{provider}} で続ける',
  or: 'または',
  noAccount: 'アカウントがない方は',
  register: 'アカウントを作成',
  registerTitle: 'アカウントを作成',
  haveAccount: 'アカウントがある方は',
  noWay: {
    title: 'ログイン方法が設定されていません',
    text: 'パスワードもプロバイダーも有効になっていません。管理者はドキュメントの設定項目を確認してください。',
  },
  setupFirst: {
    title: 'まだアカウントがありません',
    text: 'Kawaraban は起動したとき、端末かログに「set up your account at …」というリンクを表示しています。そのリンクを開いて、最初のアカウントを作ってください。',
  },
  setup: {
    title: 'Kawaraban をはじめる',
    lead: '最初のアカウントを作ります。このアカウントが管理者となり、フィードと処理の稼働状況を見られます。',
    submit: 'アカウントを作成',
    noToken: {
      title: 'リンクが途中で切れています',
      text: '「token=」より後ろがありません。起動時に表示された行を、最後までコピーしてください。',
    },
    over: {
      title: '初期設定は済んでいます',
      text: 'アカウントがすでにあり、このリンクの役目は終わりました。',
      action: 'ログイン',
    },
  },
  language: '言語',
} as const satisfies WordsLike<typeof english>;
