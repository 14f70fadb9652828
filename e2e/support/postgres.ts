// An empty database on the server that scripts/with-postgres started.

import { randomBytes } from 'node:crypto';
import pg from 'pg';

export async function freshDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = process.env.KAWARABAN_TEST_POSTGRES;
  if (!server) throw new Error('no PostgreSQL server: run scripts/with-postgres scripts/browser-tests');
  const name = `e2e_${randomBytes(6).toString('hex')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await run(server, `create database ${name}`);
  return { url: url.href, drop: () => run(server, `drop database ${name} with (force)`) };
}

async function run(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
