import type { Feed } from './feed.ts';

/** Nobody on the desk reads it yet: it is what gets added. */
export const tides: Feed = {
  key: 'tides',
  title: 'Tide Tables and Other Fictions',
  language: 'en',
  entries: [
    {
      title: 'High water at the end of the pier',
      ago: 300,
      author: 'Nell Okafor',
      html: '<p>The table says 5:12. The pier says otherwise, and the pier has been here longer.</p>',
    },
  ],
};
