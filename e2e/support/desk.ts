// The real program, on a database of its own, with its log.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { freshDatabase } from './postgres.ts';
import { CLIENTS } from './provider.ts';

export type Database = 'sqlite' | 'postgres';

export class Desk {
  /** Where browsers find it: by name, so that the provider at 127.0.0.1 is another site. */
  url = '';
  /** Everything that it logged. */
  log = '';
  readonly #child: ChildProcess;
  readonly #cleanUp: (() => Promise<void>)[];

  private constructor(child: ChildProcess, cleanUp: (() => Promise<void>)[]) {
    this.#child = child;
    this.#cleanUp = cleanUp;
    process.once('exit', () => child.kill('SIGKILL'));
    child.stderr?.on('data', (bytes) => {
      this.log += bytes;
    });
  }

  static async start(database: Database, issuer: string, settings: Record<string, string>): Promise<Desk> {
    const folder = await mkdtemp(path.join(tmpdir(), 'kawaraban-e2e-'));
    const cleanUp = [() => rm(folder, { recursive: true, force: true })];
    const env: Record<string, string> = {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      KAWARABAN_DATA_DIR: path.join(folder, 'data'),
      SERVER_HOST: '127.0.0.1',
      SERVER_PORT: '0',
      LOG_LEVEL: 'debug',
      LOG_FORMAT: 'json',
      HATEBU_ENABLED: 'false',
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENTS.oidc.id,
      OIDC_CLIENT_SECRET: CLIENTS.oidc.secret,
      OIDC_NAME: 'Test provider',
      GOOGLE_ISSUER: issuer,
      GOOGLE_CLIENT_ID: CLIENTS.google.id,
      GOOGLE_CLIENT_SECRET: CLIENTS.google.secret,
      GOOGLE_REDIRECT_URL: 'http://localhost:0/auth/google/callback',
      ...settings,
    };
    if (database === 'postgres') {
      const fresh = await freshDatabase();
      env.DATABASE_URL = fresh.url;
      cleanUp.unshift(fresh.drop);
    }
    const binary = path.resolve(import.meta.dirname, '../..', process.env.KAWARABAN_BINARY ?? 'target/debug/kawaraban');
    const child = spawn(binary, ['serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const desk = new Desk(child, cleanUp);
    desk.url = `http://localhost:${await desk.#port()}`;
    return desk;
  }

  async #port(): Promise<string> {
    const lines = readline.createInterface({ input: this.#child.stdout! });
    for await (const line of lines) {
      const found = /^ready .*listening on .*:(\d+)\)$/.exec(line);
      if (found) {
        this.#child.stdout!.resume();
        return found[1];
      }
    }
    await this.stop();
    throw new Error(`the program ended at its start:\n${this.log}`);
  }

  /** Ends it in an orderly way, and says with which code it went. */
  async stop(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGTERM');
      await once(this.#child, 'exit');
    }
    for (const step of this.#cleanUp) await step();
    return this.#child.exitCode;
  }
}
