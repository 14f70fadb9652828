import type { components } from '../api/schema';

type ErrorView = components['schemas']['ErrorView'];

/** The categories of the server, and `connection` without an answer. */
export type ProblemCategory = ErrorView['category'] | 'connection';

/** An error of the API or of the connection to it, in the language of the page. */
export class Problem extends Error {
  override readonly name = 'Problem';
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  /** The server's code, or one of ours: `offline`, `unreachable`, `not_loaded`, `unexpected`. */
  readonly code: string;
  readonly category: ProblemCategory;
  /** What to do; empty for our own codes (see `problemText`). */
  readonly action: string;
  /** The errors of single fields, by name. */
  readonly fields: Readonly<Record<string, string>>;
  /** The seconds to wait before a retry, if the server says so. */
  readonly retryAfterSeconds: number | null;
  /** The whole body, for the properties of single codes (`candidates`, `subscription_id`). */
  readonly body: ErrorView | null;

  constructor(parts: {
    status: number;
    code: string;
    category: ProblemCategory;
    message?: string;
    action?: string;
    retryAfterSeconds?: number | null;
    body?: ErrorView;
    cause?: unknown;
  }) {
    super(parts.message ?? '', { cause: parts.cause });
    this.status = parts.status;
    this.code = parts.code;
    this.category = parts.category;
    this.action = parts.action ?? '';
    this.retryAfterSeconds = parts.retryAfterSeconds ?? null;
    this.body = parts.body ?? null;
    this.fields = Object.fromEntries((parts.body?.fields ?? []).map(({ field, message }) => [field, message]));
  }

  /** Whether the same request may succeed later. */
  get mayPass(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** The problem of an answer other than 2xx. */
export async function problemOf(response: Response): Promise<Problem> {
  const retryAfterSeconds = secondsOf(response.headers.get('retry-after'));
  const body: unknown = await response.json().catch(() => null);
  if (!isErrorView(body)) {
    // The answer of a proxy, or of another server.
    return new Problem({ status: response.status, code: 'unexpected', category: 'system', retryAfterSeconds });
  }
  const { code, category, message, action } = body;
  return new Problem({ status: response.status, code, category, message, action, retryAfterSeconds, body });
}

/** The problem of a request without an answer. */
export function problemOfNoAnswer(cause: unknown): Problem {
  const code = navigator.onLine ? 'unreachable' : 'offline';
  return new Problem({ status: 0, code, category: 'connection', cause });
}

function isErrorView(body: unknown): body is ErrorView {
  return typeof body === 'object' && body !== null && 'code' in body && 'message' in body && 'category' in body;
}

function secondsOf(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds) : null;
}
