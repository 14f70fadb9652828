import { useEffect } from 'react';

let title = '';
let unread = 0;

function write() {
  const count = unread > 0 ? `(${unread > 999 ? '999+' : unread}) ` : '';
  document.title = `${count}${title ? `${title} · ` : ''}Kawaraban`;
}

/** Names the tab after the page. */
export function usePageTitle(name: string): void {
  useEffect(() => {
    title = name;
    write();
  }, [name]);
}

/** Puts the number of unread items before it; 0 takes it away. */
export function setTitleCount(count: number): void {
  unread = count;
  write();
}
