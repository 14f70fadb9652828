// Servers that are not ours: somebody else's pages, and a proxy that speaks https before us.

import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** Somebody else's pages, all of them empty. As 127.0.0.1 it is another site, as localhost another origin of the same one. */
export class OtherSite {
  readonly port: number;
  readonly #server: http.Server;

  private constructor(server: http.Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  static async listen(): Promise<OtherSite> {
    const server = http.createServer((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>elsewhere</title><p>elsewhere');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new OtherSite(server);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

/** Takes https and hands it on to a port of this machine, as a reverse proxy does. */
export class TlsProxy {
  target = 0;
  readonly port: number;
  readonly #server: https.Server;

  private constructor(server: https.Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on('request', (request, response) => this.#hand(request, response));
  }

  static async listen(): Promise<TlsProxy> {
    const server = https.createServer({
      cert: pem('leaf.der', 'CERTIFICATE'),
      key: pem('leaf.key.der', 'PRIVATE KEY'),
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new TlsProxy(server);
  }

  #hand(request: http.IncomingMessage, response: http.ServerResponse): void {
    const { method, url, headers } = request;
    const onward = http.request({ host: '127.0.0.1', port: this.target, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

/** The certificate that the https tests of crates/net use. */
function pem(file: string, label: string): string {
  const bytes = readFileSync(path.resolve(import.meta.dirname, '../../crates/net/testdata', file));
  return `-----BEGIN ${label}-----\n${bytes.toString('base64')}\n-----END ${label}-----\n`;
}
