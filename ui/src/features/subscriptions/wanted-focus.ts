let wanted: string | null = null;

/**
 * The row of this feed or folder is to have the focus when it is drawn in its new place: taken to another list, or to another
 * place in its own, it is another element or was taken out for a moment, and the focus is gone.
 */
export function wantFocus(id: string): void {
  wanted = id;
}

/** Gives the focus to the link in a row, if it is wanted for one of these. */
export function takeFocus(row: Element | null, ids: readonly string[]): void {
  if (wanted === null || !ids.includes(wanted)) return;
  wanted = null;
  row?.querySelector('a')?.focus();
}
