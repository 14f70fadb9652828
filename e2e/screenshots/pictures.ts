// Drawings for the invented sites: icons of feeds, and pictures in articles.

const icon = (ground: string, drawing: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="${ground}"/>${drawing}</svg>`;

const line = (path: string, colour = '#fff') =>
  `<path d="${path}" fill="none" stroke="${colour}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>`;

/** By the feed's key; who is not in it has no icon, as happens. */
export const icons: Record<string, string> = {
  'slow-software': icon('#2f4858', line('M6 20h4a4 4 0 1 1 8 0h8M10 20a6 6 0 0 1 12 0M26 20c2-4 0-7-2-8')),
  'paper-mill': icon('#c9b48a', line('M8 6h12l5 5v15H8zM20 6v5h5', '#4a3d22')),
  'harbour-notes': icon('#1f5a7a', line('M16 8v17M11 12h10M7 18c1 5 5 7 9 7s8-2 9-7')),
  'field-and-kettle': icon(
    '#6d7f3f',
    line('M8 16h13v6a4 4 0 0 1-4 4h-5a4 4 0 0 1-4-4zM21 17h3a2 2 0 0 1 0 5h-3M13 6c-2 3 2 3 0 6M18 6c-2 3 2 3 0 6'),
  ),
  'sleeper-car': icon(
    '#26264a',
    `${line('M7 8h18v14H7zM7 16h18M11 26l2-4M21 26l-2-4', '#ece6c8')}<circle cx="23" cy="11.500" r="1.600" fill="#e9b44c"/>`,
  ),
  'small-instruments': icon('#8a4f2d', line('M7 22a9 9 0 0 1 18 0M16 22l5-7M7 26h18')),
  'garden-changelog': icon('#3f6b3a', line('M16 27V14M16 18c-6 0-8-4-8-8 5 0 8 3 8 8zM16 15c0-5 3-8 8-8 0 5-3 8-8 8z')),
  'lighthouse-weekly': icon('#b23a48', line('M13 26l1.500-14h3L19 26zM12 12h8M16 6v3M6 11l4 1.500M26 11l-4 1.500')),
  'kami-to-hangi': icon('#3b3029', line('M8 8h16v16H8zM12 8v16M16 12h5M16 16h5M16 20h3', '#f1e7d2')),
  'daidokoro-no-rika': icon('#d9772b', line('M7 14h18a9 9 0 0 1-18 0zM11 25h10M13 6v4M19 6v4')),
  dougubako: icon('#405d72', line('M6 14h20v11H6zM12 14v-3a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v3M6 19h20')),
  'saka-no-toshoshitsu': icon(
    '#7a3e48',
    line('M16 10c-3-2-6-2-9-1.500V24c3-.500 6 0 9 2 3-2 6-2.500 9-2V8.500C22 8 19 8 16 10zM16 10v16'),
  ),
  'nagi-no-kishocho': icon('#8fb7c9', line('M6 13c3-3 6 3 10 0s6-3 10 0M6 20c3-3 6 3 10 0s6-3 10 0', '#173a4a')),
  karasudo: icon('#1d1b20', line('M8 20c0-6 4-10 9-10 3 0 5 2 7 2-1 2-2 3-3 3 0 6-4 9-9 9-2 0-4-1-5-2z', '#d8d2c4')),
};

const sheet = (width: number, height: number, drawing: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="#efe6d2"/>${drawing}</svg>`;

const stroke = (path: string, width = 3, colour = '#2b2520') =>
  `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;

const people = [250, 300, 346, 398, 446].map(
  (x, at) =>
    `<g fill="#2b2520"><circle cx="${x + 190}" cy="${222 + (at % 2) * 10}" r="15"/><path d="M${x + 168} ${304 + (at % 2) * 6}q2-62 22-62t22 62z" fill="${at % 2 ? '#6f6658' : '#8c4a35'}"/></g>`,
);

/** By the last part of their address. */
export const pictures: Record<string, string> = {
  'queue.svg': sheet(
    720,
    360,
    `${stroke('M60 300H670M60 300V50', 2, '#8c8270')}
     <path d="M60 300C150 290 200 210 300 150S470 70 560 62 650 60 670 60V300z" fill="#b5321b" opacity=".14"/>
     ${stroke('M60 300C150 290 200 210 300 150S470 70 560 62 650 60 670 60', 4, '#b5321b')}
     ${stroke('M60 300C110 280 140 262 190 262S300 270 360 262 460 270 540 284 640 298 670 299', 4, '#1f4e79')}
     ${[150, 250, 350, 450, 550, 650].map((x) => stroke(`M${x} 300v8`, 2, '#8c8270')).join('')}`,
  ),
  'mill.svg': sheet(
    720,
    400,
    `<circle cx="585" cy="96" r="44" fill="#b5321b" opacity=".85"/>
     <path d="M0 250q120-70 240-30t230-20 250 30v170H0z" fill="#d9cba8"/>
     <path d="M0 330q90-18 180 0t180 0 180 0 180 0v70H0z" fill="#9db4bb"/>
     ${stroke('M0 350q90-18 180 0t180 0 180 0 180 0M40 376q70-14 140 0t140 0 140 0', 2, '#f6f1e4')}
     <path d="M150 300V170l90-56 90 56v130z" fill="#6b4a33"/><path d="M134 178l106-68 106 68z" fill="#2b2520"/>
     <g fill="#efe6d2"><path d="M176 206h22v30h-22zM214 206h22v30h-22zM252 206h22v30h-22zM290 206h22v30h-22z"/></g>
     <circle cx="372" cy="286" r="56" fill="none" stroke="#2b2520" stroke-width="7"/>
     ${[0, 30, 60, 90, 120, 150].map((turn) => `<path d="M316 286h112" stroke="#2b2520" stroke-width="4" transform="rotate(${turn} 372 286)"/>`).join('')}
     ${stroke('M450 214h200M470 214v-26M630 214v-26', 3)}
     <g fill="#fffdf6" stroke="#b9ac8f"><path d="M462 216h30v40h-30zM500 216h30v44h-30zM538 216h30v38h-30zM576 216h30v43h-30zM614 216h26v40h-26z"/></g>`,
  ),
  'reader.svg': sheet(
    720,
    400,
    `<path d="M0 312h720v88H0z" fill="#d9cba8"/><path d="M40 312V120h130v192M560 312V96h130v216" fill="#cdbd98"/>
     <path d="M26 124h158l-20-34H46zM546 100h158l-20-34H566z" fill="#4a4038"/>
     ${stroke('M60 160h90M60 196h90M60 232h90M580 140h90M580 176h90M580 212h90', 2, '#a89670')}
     <path d="M206 330q4-110 44-110t44 110z" fill="#1f4e79"/><path d="M196 216q54-62 108 0z" fill="#b98b46"/>
     <path d="M316 336q4-96 38-96t38 96z" fill="#3f6b3a"/><path d="M306 238q48-56 96 0z" fill="#a87a38"/>
     <path d="M262 246l64-30 18 44-64 30z" fill="#fffdf6" stroke="#2b2520" stroke-width="2"/>
     ${stroke('M276 252l40-18M281 264l40-18M286 276l28-13', 2)}${stroke('M300 284l34-58', 4, '#7a5a30')}
     ${people.join('')}<circle cx="470" cy="70" r="30" fill="#b5321b" opacity=".85"/>`,
  ),
};
