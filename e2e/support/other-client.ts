// The client as a page of another origin than the desk: built for a desk, and served by somebody else.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const UI = path.resolve(import.meta.dirname, '../../ui');
const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

/** Builds the client with the API at this address; gives the folder. */
export async function buildFor(api: string): Promise<{ folder: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kawaraban-client-'));
  const vite = path.join(UI, 'node_modules/vite/bin/vite.js');
  const options = ['build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'error'];
  const env = { ...process.env, VITE_API_URL: api, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, [vite, ...options], { cwd: UI, env });
  return { folder, stop: () => rm(folder, { recursive: true, force: true }) };
}

/** A server with nothing but files, on a port of its own. By its name it is the same site as the desk, and another origin. */
export class OtherClient {
  /** What it serves; empty until it was built. */
  folder = '';
  readonly url: string;
  readonly #server: http.Server;

  private constructor(server: http.Server) {
    this.#server = server;
    this.url = `http://localhost:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  static async listen(): Promise<OtherClient> {
    const server = http.createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new OtherClient(server);
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.url);
    const name = path.extname(pathname) ? pathname : '/index.html';
    const file = await readFile(path.join(this.folder, path.normalize(name))).catch(() => null);
    if (!file) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': TYPES[path.extname(name)] ?? 'image/png' }).end(file);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}
