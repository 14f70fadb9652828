import { Store } from '../lib/store';

/** Whether the command palette is open. Its key and a button in the sidebar open it. */
export const paletteOpen = new Store(false);
