/** The type of the words of another language: the keys of the English words, without the English plural forms. */
export type WordsLike<T> = {
  readonly [K in keyof T as K extends `${string}_one` ? never : K]: T[K] extends string ? string : WordsLike<T[K]>;
};
