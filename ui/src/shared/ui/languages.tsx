/** The languages of the pages, each by its own name. */
export const languages = [
  { value: 'ja', label: <span lang="ja">日本語</span> },
  { value: 'en', label: <span lang="en">English</span> },
] as const;
