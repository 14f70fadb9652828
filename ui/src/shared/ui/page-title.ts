import { useEffect } from 'react';
import { say } from './say';

let title = '';
let unread = 0;
let said: string | null = null;

function write() {
  const count = unread > 0 ? `(${unread > 999 ? '999+' : unread}) ` : '';
  document.title = `${count}${title ? `${title} · ` : ''}Kawaraban`;
}

/**
 * Sets the title of the tab. Screen readers say it when another page is shown, as they do when a page loads. `hear` is said
 * instead of a title that changes while the user types.
 */
export function usePageTitle(name: string, hear = name): void {
  useEffect(() => {
    title = name;
    write();
  }, [name]);
  useEffect(() => {
    if (hear === '') return;
    if (said !== null && said !== hear) say(hear);
    said = hear;
  }, [hear]);
}

/** Adds the number of unread items to the title; none for 0. */
export function setTitleCount(count: number): void {
  unread = count;
  write();
}
