import { type ClassValue, clsx } from 'clsx';
import { createTailwindMerge } from 'tailwind-merge';

const any = () => true;
const isSize = (value: string) => /^(xs|sm|base|lg|[23]?xl|\[.*\d.*\])$/.test(value);
const isWidth = (value: string) => /^(\d+|\[[\d.]+px\])$/.test(value);
const sides = ['x', 'y', 't', 'r', 'b', 'l'] as const;

/** `p`, `px`, … of padding and margin; a later one for all sides takes those of single sides with it. */
function box(name: 'p' | 'm') {
  return Object.fromEntries(['', ...sides].map((side) => [name + side, [{ [name + side]: [any] }]]));
}
const boxConflicts = (name: 'p' | 'm') => ({
  [name]: sides.map((side) => name + side),
  [`${name}x`]: [`${name}l`, `${name}r`],
  [`${name}y`]: [`${name}t`, `${name}b`],
});

/**
 * Which classes contradict each other: of those that we use. tests/classes.test.ts holds it against the whole of Tailwind, which
 * would be 6 kB more at first load.
 */
const merge = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups: {
    display: ['block', 'inline-block', 'inline', 'flex', 'inline-flex', 'grid', 'hidden', 'contents'],
    position: ['static', 'fixed', 'absolute', 'relative', 'sticky'],
    ...box('p'),
    ...box('m'),
    size: [{ size: [any] }],
    w: [{ w: [any] }],
    h: [{ h: [any] }],
    'min-w': [{ 'min-w': [any] }],
    'max-w': [{ 'max-w': [any] }],
    'min-h': [{ 'min-h': [any] }],
    'max-h': [{ 'max-h': [any] }],
    gap: [{ gap: [any] }],
    'gap-x': [{ 'gap-x': [any] }],
    'gap-y': [{ 'gap-y': [any] }],
    'space-y': [{ 'space-y': [any] }],
    flex: [{ flex: ['1', 'auto', 'none', 'initial'] }],
    'flex-direction': [{ flex: ['row', 'col'] }],
    'flex-wrap': [{ flex: ['wrap', 'nowrap'] }],
    shrink: [{ shrink: ['', '0'] }],
    items: [{ items: [any] }],
    justify: [{ justify: [any] }],
    'text-size': [{ text: [isSize] }],
    'text-align': [{ text: ['left', 'center', 'right'] }],
    'text-wrap': [{ text: ['wrap', 'nowrap', 'pretty', 'balance'] }],
    'text-color': [{ text: [any] }],
    'font-weight': [{ font: ['normal', 'medium', 'semibold', 'bold'] }],
    'font-family': [{ font: ['sans', 'serif', 'mono'] }],
    leading: [{ leading: [any] }],
    tracking: [{ tracking: [any] }],
    bg: [{ bg: [any] }],
    'border-width': [{ border: ['', isWidth] }],
    'border-width-t': [{ 'border-t': ['', isWidth] }],
    'border-width-b': [{ 'border-b': ['', isWidth] }],
    'border-width-l': [{ 'border-l': ['', isWidth] }],
    'border-width-r': [{ 'border-r': ['', isWidth] }],
    'border-style': [{ border: ['solid', 'dashed'] }],
    'border-color': [{ border: [any] }],
    rounded: [{ rounded: [any] }],
    animate: [{ animate: ['spin', 'pulse', 'none'] }],
    opacity: [{ opacity: [any] }],
    shadow: [{ shadow: [any] }],
    transition: [{ transition: ['', any] }],
    whitespace: [{ whitespace: [any] }],
    overflow: [{ overflow: ['hidden', 'auto', 'visible'] }],
    'overflow-x': [{ 'overflow-x': [any] }],
    'overflow-y': [{ 'overflow-y': [any] }],
    inset: [{ inset: [any] }],
    'inset-x': [{ 'inset-x': [any] }],
    'inset-y': [{ 'inset-y': [any] }],
    top: [{ top: [any] }],
    right: [{ right: [any] }],
    bottom: [{ bottom: [any] }],
    left: [{ left: [any] }],
    'translate-x': [{ 'translate-x': [any] }],
    'translate-y': [{ 'translate-y': [any] }],
  },
  conflictingClassGroups: {
    ...boxConflicts('p'),
    ...boxConflicts('m'),
    size: ['w', 'h'],
    gap: ['gap-x', 'gap-y'],
    flex: ['shrink'],
    overflow: ['overflow-x', 'overflow-y'],
    inset: ['inset-x', 'inset-y', 'top', 'right', 'bottom', 'left'],
    'inset-x': ['left', 'right'],
    'inset-y': ['top', 'bottom'],
    'text-size': ['leading'],
    'border-width': ['border-width-t', 'border-width-b', 'border-width-l', 'border-width-r'],
  },
  conflictingClassGroupModifiers: {},
  orderSensitiveModifiers: ['before', 'after', 'placeholder', 'file', 'marker', 'selection'],
}));

/** Class names together; of two that contradict each other the later one counts. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
