/** Subscriptions that are gone for whoever looks, though the server does not know it yet: see `unsubscribe.ts`. */
export const leaving = new Set<string>();
