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
 * Names the tab after the page. Screen readers say it when another page is shown, as they do by themselves where pages are
 * loaded; for titles that change while one types there is a plain one to `hear`.
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

/** Puts the number of unread items before it; 0 takes it away. */
export function setTitleCount(count: number): void {
  unread = count;
  write();
}
