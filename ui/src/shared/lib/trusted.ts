/** Trusted Types, as far as they are used here; TypeScript has no types for them yet. */
type Rules = { createHTML: (html: string) => string; createScriptURL: (url: string) => string };
declare global {
  var trustedTypes: { createPolicy: (name: string, rules: Rules) => Rules } | undefined;
}

const WORKER = '/sw.js';

const rules: Rules = {
  createHTML: (html) => html,
  createScriptURL: (url) => {
    if (url !== WORKER) throw new TypeError(`not a script of this site: ${url}`);
    return url;
  },
};

/** The only policy that the content security policy permits. It stays in this file; browsers without Trusted Types need none. */
const policy = globalThis.trustedTypes?.createPolicy('kawaraban', rules) ?? rules;

/** Parses HTML into a document that runs no script and loads nothing. */
export function parseHtml(html: string): Document {
  return new DOMParser().parseFromString(policy.createHTML(html), 'text/html');
}

/** The address of the service worker. */
export const workerUrl = (): string => policy.createScriptURL(WORKER);
