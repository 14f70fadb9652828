let wanted: string | null = null;

/** Gives the row of this feed or folder the focus when it is drawn at its new position: a row that moves loses the focus. */
export function wantFocus(id: string): void {
  wanted = id;
}

/** Focuses the link in a row if `wantFocus` was called for one of these ids. */
export function takeFocus(row: Element | null, ids: readonly string[]): void {
  if (wanted === null || !ids.includes(wanted)) return;
  wanted = null;
  row?.querySelector('a')?.focus();
}
