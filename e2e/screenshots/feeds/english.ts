import type { Feed } from './feed.ts';
import { backpressure, paper } from './long-reads.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

export const slowSoftware: Feed = {
  key: 'slow-software',
  title: 'Slow Software',
  language: 'en',
  entries: [
    { ...backpressure, ago: 42, author: 'Maud Ellery', categories: ['queues', 'operations'], bookmarks: 128 },
    {
      title: 'A cache is a promise you make to the past',
      ago: 9 * HOUR,
      author: 'Maud Ellery',
      bookmarks: 37,
      html: '<p>Before adding a cache, write down who is allowed to see yesterday’s answer, and for how long. If nobody can say, the cache is not the problem you have.</p>',
    },
    {
      title: 'Reading your own logs for an hour every Friday',
      ago: 2 * DAY + 90,
      author: 'Idris Kane',
      bookmarks: 12,
      html: '<p>No dashboard, no query language: scroll. After a year of Fridays we had removed a third of the lines, and the rest began to tell stories.</p>',
    },
    {
      title: 'Why our deploys got slower on purpose',
      ago: 4 * DAY,
      author: 'Maud Ellery',
      bookmarks: 64,
      html: '<p>Ten minutes between the first machine and the second. It felt absurd for a week, and then it caught the leap-second bug.</p>',
    },
    {
      title: 'The migration that ran for nineteen days',
      ago: 6 * DAY,
      author: 'Idris Kane',
      bookmarks: 210,
      html: '<p>Four billion rows, a hundred at a time, with a pause after each. Nobody noticed it begin and nobody noticed it end, which was the whole design.</p>',
    },
  ],
};

export const paperMill: Feed = {
  key: 'paper-mill',
  title: 'The Paper Mill',
  language: 'en',
  entries: [
    { ...paper, ago: 3 * HOUR + 10, author: 'Constance Wray', categories: ['paper', 'conservation'], bookmarks: 19 },
    {
      title: 'Eleven greys: proofing a photograph on uncoated stock',
      ago: 19 * HOUR,
      author: 'Constance Wray',
      bookmarks: 4,
      html: '<p>Uncoated paper drinks the shadows first. We print a strip of eleven greys beside every picture and stop when the third one from the left still has a face in it.</p>',
    },
    {
      title: 'A short guide to the sound of good paper',
      ago: 3 * DAY,
      author: 'Tom Adeyemi',
      bookmarks: 22,
      html: '<p>Hold a sheet by its corner and shake it. A rattle means starch, a murmur means cotton, and silence means the humidity got there before you.</p>',
    },
    {
      title: 'What the deckle leaves behind',
      ago: 5 * DAY,
      author: 'Constance Wray',
      bookmarks: 8,
      html: '<p>The soft edge of a handmade sheet was a fault for four centuries and a luxury for one. Notes on when the trade changed its mind.</p>',
    },
  ],
};

export const harbourNotes: Feed = {
  key: 'harbour-notes',
  title: 'Harbour Notes',
  language: 'en',
  entries: [
    {
      title: 'The 6:40 ferry will leave from the east pier until the end of the month',
      ago: 75,
      author: 'Harbour office',
      bookmarks: 0,
      html: '<p>Repairs to the west ramp take longer than planned because the old timbers turned out to be sound and are being kept. Bicycles board first.</p>',
    },
    {
      title: 'Library opens its reading room on Sundays after a vote of 212 to 9',
      ago: 14 * HOUR,
      author: 'Ines Calder',
      bookmarks: 3,
      html: '<p>Volunteers will keep the desk from noon to five. The nine who voted against asked for the heating to be looked at first, and it will be.</p>',
    },
    {
      title: 'Storm tide reached the second step; no damage reported',
      ago: 2 * DAY,
      author: 'Harbour office',
      bookmarks: 1,
      html: '<p>The gauge at the mole read 3.1 metres at 4:20 in the morning, the fourth highest since it was put up in 1961.</p>',
    },
    {
      title: 'Minutes of the October meeting, with a drawing of the disputed bench',
      ago: 6 * DAY + 30,
      bookmarks: 2,
      html: '<p>The bench stays. It will be turned by ninety degrees so that it faces the water, as the drawing shows.</p>',
    },
  ],
};

export const fieldAndKettle: Feed = {
  key: 'field-and-kettle',
  title: 'Field and Kettle',
  language: 'en',
  entries: [
    {
      title: 'Cold-brewed hojicha, and why the second jug is better',
      ago: 5 * HOUR,
      author: 'Rosa Lindqvist',
      bookmarks: 15,
      html: '<p>Roasted stems give up their sweetness slowly. Eight hours in the refrigerator, drain, then eight more with fresh water: the second jug tastes of chestnuts.</p>',
    },
    {
      title: 'Bread for people who forget about bread',
      ago: DAY + 4 * HOUR,
      author: 'Rosa Lindqvist',
      bookmarks: 41,
      html: '<p>A dough that waits for you between twelve hours and three days, and does not mind which. The trick is less yeast than seems reasonable.</p>',
    },
    {
      title: 'Three soups from one bone',
      ago: 4 * DAY + 200,
      author: 'Ewan Pryce',
      html: '<p>The first for today, clear and quick; the second with barley, overnight; the third for the freezer and a bad week.</p>',
    },
  ],
};

export const sleeperCar: Feed = {
  key: 'sleeper-car',
  title: 'Sleeper Car',
  language: 'en',
  entries: [
    {
      title: 'Nine hours to the coast with the window open',
      ago: 7 * HOUR,
      author: 'Jonas Abara',
      bookmarks: 33,
      html: '<p>There is a kind of sleep that only happens in the lower berth, somewhere past the third unlit station, when the points sing instead of clatter.</p>',
    },
    {
      title: 'How a night train is timetabled around freight',
      ago: 2 * DAY + 5 * HOUR,
      author: 'Jonas Abara',
      bookmarks: 57,
      html: '<p>The passenger sees a departure and an arrival. The dispatcher sees fourteen places to wait, and chooses the four where nobody will wake.</p>',
    },
    {
      title: 'A field guide to station clocks',
      ago: 5 * DAY + 120,
      author: 'Jonas Abara',
      bookmarks: 90,
      html: '<p>The ones that stop for a second at the top of the minute are listening for a pulse from the master clock. Once you know, you cannot unsee it.</p>',
    },
  ],
};

export const smallInstruments: Feed = {
  key: 'small-instruments',
  title: 'Small Instruments',
  language: 'en',
  entries: [
    {
      title: 'Measuring the wind with a hair-dryer wire',
      ago: 11 * HOUR,
      author: 'Priya Raman',
      categories: ['build'],
      bookmarks: 26,
      html: '<p>A hot wire cools in proportion to the square root of the wind. Forty pence of nichrome, one op-amp, and an afternoon of swearing at draughts.</p>',
    },
    {
      title: 'Calibrating a kitchen scale against the sea',
      ago: 3 * DAY + 300,
      author: 'Priya Raman',
      bookmarks: 18,
      html: '<p>A litre of sea water weighs more than a litre of tap water by about twenty-seven grams. That is a calibration weight you can carry home in a bottle.</p>',
    },
    {
      title: 'The barometer that was right for the wrong reason',
      ago: 6 * DAY + 400,
      author: 'Priya Raman',
      bookmarks: 44,
      html: '<p>It predicted rain by swelling, not by pressure. The case was oak, the hinge was tight, and the needle was glued to both.</p>',
    },
  ],
};

/** It gives no dates: when its entries were seen first is the best that can be said. */
export const gardenChangelog: Feed = {
  key: 'garden-changelog',
  title: 'Changelog of a Garden',
  language: 'en',
  entries: [
    {
      title: '4.11: moved the quince, removed a workaround for the cat',
      html: '<p>The quince now has sun after two o’clock. Known issue: the cat considers the old place still supported.</p>',
    },
    {
      title: '4.10.2: leaves',
      html: '<p>All of them, at once, on Tuesday. The path is usable again, with reduced traction.</p>',
    },
  ],
};

export const lighthouseWeekly: Feed = {
  key: 'lighthouse-weekly',
  title: 'Lighthouse Weekly',
  language: 'en',
  entries: [
    {
      title: 'Fresnel’s rings, cut by hand',
      ago: 3 * DAY + 700,
      author: 'Keeper of the week',
      bookmarks: 11,
      html: '<p>A lens of a thousand prisms was ground on a wheel turned by a stream. We visited the stream.</p>',
    },
    {
      title: 'Keeping the light in a week of fog',
      ago: 6 * DAY + 900,
      bookmarks: 6,
      html: '<p>The horn sounds every ninety seconds, and after the second day you no longer hear it; you hear the gaps.</p>',
    },
  ],
};
