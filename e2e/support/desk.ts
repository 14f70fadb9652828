// The real program, on a database of its own, with its log.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { freshDatabase } from './postgres.ts';

export type Database = 'sqlite' | 'postgres';

/** scripts/browser-tests names it. */
const binary = process.env.KAWARABAN_BINARY ?? '';

export class Desk {
  /** Where browsers find it: by name, so that a provider at 127.0.0.1 is another site. */
  url = '';
  /** Everything that it logged. */
  log = '';
  /** Where the first account is made, as it was printed at the start; empty when there is one already. */
  setupLink = '';
  #child: ChildProcess | undefined;
  readonly #env: Record<string, string>;
  readonly #cleanUp: (() => Promise<void>)[];

  private constructor(env: Record<string, string>, cleanUp: (() => Promise<void>)[]) {
    this.#env = env;
    this.#cleanUp = cleanUp;
    process.once('exit', () => this.#child?.kill('SIGKILL'));
  }

  static async start(database: Database, settings: Record<string, string>): Promise<Desk> {
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
      ...settings,
    };
    if (database === 'postgres') {
      const fresh = await freshDatabase();
      env.DATABASE_URL = fresh.url;
      cleanUp.unshift(fresh.drop);
    }
    const desk = new Desk(env, cleanUp);
    await desk.wake();
    return desk;
  }

  /** Starts it again after `halt`, at the same address and with all that it had. */
  async wake(): Promise<void> {
    const child = spawn(binary, ['serve'], { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    child.stderr.on('data', (bytes) => {
      this.log += bytes;
    });
    for await (const line of readline.createInterface({ input: child.stdout })) {
      const link = /^set up your account at (\S+)$/.exec(line);
      if (link) this.setupLink = link[1] ?? '';
      const port = /^ready .*listening on .*:(\d+)\)$/.exec(line)?.[1];
      if (port) {
        child.stdout.resume();
        this.#env.SERVER_PORT = port;
        this.url = `http://localhost:${port}`;
        return;
      }
    }
    await this.stop();
    throw new Error(`the program ended at its start:\n${this.log}`);
  }

  /** Ends it in an orderly way, keeps its data, and says with which code it went. */
  async halt(): Promise<number | null> {
    const child = this.#child;
    if (!child) return null;
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    return child.exitCode;
  }

  /** Ends it, and removes its data. */
  async stop(): Promise<number | null> {
    const code = await this.halt();
    for (const step of this.#cleanUp.splice(0)) await step();
    return code;
  }

  /** Runs another command of the program beside it, such as `user add`, and hands back what it printed. */
  async run(args: readonly string[], input = ''): Promise<string> {
    const child = spawn(binary, args, { env: this.#env, stdio: ['pipe', 'pipe', 'pipe'] });
    let [output, complaints] = ['', ''];
    child.stdout.on('data', (bytes) => {
      output += bytes;
    });
    child.stderr.on('data', (bytes) => {
      complaints += bytes;
    });
    child.stdin.end(input);
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`kawaraban ${args.join(' ')} ended with ${code}:\n${complaints}`);
    return output;
  }
}
