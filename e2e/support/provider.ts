// A real OpenID provider on loopback, with its own pages for signing in and consent.

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** Who Kawaraban is at the provider, as two clients that show their secrets in different ways. */
export const CLIENTS = {
  oidc: { id: 'kawaraban', secret: 'a secret: with/odd+letters&%' },
  google: { id: 'kawaraban-as-if-at-google', secret: 'another-secret-hunter2' },
};

export type ProviderName = keyof typeof CLIENTS;

/** What the program is told of it. */
export function openIdSettings(issuer: string): Record<string, string> {
  return {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENTS.oidc.id,
    OIDC_CLIENT_SECRET: CLIENTS.oidc.secret,
    OIDC_NAME: 'Test provider',
    GOOGLE_ISSUER: issuer,
    GOOGLE_CLIENT_ID: CLIENTS.google.id,
    GOOGLE_CLIENT_SECRET: CLIENTS.google.secret,
    GOOGLE_REDIRECT_URL: 'http://localhost:0/auth/google/callback',
  };
}

export class OpenIdProvider {
  readonly issuer: string;
  readonly #server: http.Server;
  #hold: ((callback: string) => void) | undefined;

  private constructor(server: http.Server) {
    this.#server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Takes a port; it answers nobody until it knows whom it serves. */
  static async listen(): Promise<OpenIdProvider> {
    const server = http.createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new OpenIdProvider(server);
  }

  /** Begins to serve Kawaraban at this address. */
  serve(base: string): void {
    const client = (name: ProviderName, method: 'client_secret_basic' | 'client_secret_post') => ({
      client_id: CLIENTS[name].id,
      client_secret: CLIENTS[name].secret,
      redirect_uris: [`${base}/auth/${name}/callback`],
      token_endpoint_auth_method: method,
    });
    const provider = new Provider(this.issuer, {
      clients: [client('oidc', 'client_secret_basic'), client('google', 'client_secret_post')],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      cookies: { keys: ['only for these tests'] },
      pkce: { required: () => true },
      findAccount: (_context: unknown, login: string) => ({ accountId: login, claims: () => claimsOf(login) }),
    });
    provider.use(async (context: any, next: () => Promise<void>) => {
      await next();
      const target: string = context.response.get('location');
      if (!this.#hold || !target.startsWith(base)) return;
      this.#hold(target);
      this.#hold = undefined;
      context.remove('location');
      context.status = 200;
      context.body = 'held';
    });
    this.#server.on('request', provider.callback());
  }

  /** Does not send the next browser back, but says where it would have gone. A browser that follows cannot be held up. */
  holdNext(): Promise<string> {
    return new Promise((found) => {
      this.#hold = found;
    });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

/** Whoever signs in is their e-mail address; `unverified:` before it says what the provider thinks of it. */
function claimsOf(login: string) {
  const email = login.replace(/^unverified:/, '');
  return { sub: login, email, email_verified: email === login, name: email.split('@')[0] };
}
