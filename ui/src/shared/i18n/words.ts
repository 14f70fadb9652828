/** The shape of a language's words, taken from the English ones: same keys, other text; plural forms only where it has them. */
export type WordsLike<T> = {
  readonly [K in keyof T as K extends `${string}_one` ? never : K]: T[K] extends string ? string : WordsLike<T[K]>;
};
