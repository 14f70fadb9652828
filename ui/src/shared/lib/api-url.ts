/** Where the API is: the page's own origin, unless the client was built for another. */
export const apiOrigin: string = import.meta.env.VITE_API_URL ?? '';

/** The address of something that a link, an image or an event stream requests from the API. */
export const apiUrl = (path: string): string => `${apiOrigin}${path}`;
