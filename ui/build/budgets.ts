/** The budgets of the client. The build checks the first load, `scripts/measure-ui` checks the others. */
export const BUDGETS = {
  /** JavaScript of any page's first load, gzipped. */
  firstLoadKilobytes: 195,
  /** Work of the main thread in 95 of 100 frames while a list of 10,000 items scrolls on a desk: 60 frames a second. */
  frameMs: 16.7,
  /** From a key to the painted article, median. */
  keyToArticleMs: 100,
  /** From the address to the first painted list on a phone's second visit, median, on every network that is measured. */
  secondVisitMs: 1_000,
} as const;
