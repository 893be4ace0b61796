import pg from 'pg'
import { demoPassword } from '#seeds/demo/university.ts'
import type { World } from './world.ts'

/** Calls the API as a demo account, for steps the journey does not test; `file` returns a download's bytes. */
export async function as(world: World, account: string) {
  const send = async (method: string, path: string, token?: string, body?: object) => {
    const answer = await fetch(`${world.url}/api${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return answer
  }
  const email = `${account}@demo.test`
  const { access_token } = await (await send('POST', '/login', undefined, { email, password: demoPassword })).json()
  const call = async (method: string, path: string, body?: object) =>
    (await send(method, path, access_token, body)).json()
  const file = async (path: string) => Buffer.from(await (await send('GET', path, access_token)).arrayBuffer())
  return Object.assign(call, { file })
}

export type DemoPerson = { account: string; id: string; code: string; registration: string; name: string }

/** Demo applicants whose registrations match the SQL condition. */
export async function peopleWho(world: World, where: string, count: number): Promise<DemoPerson[]> {
  const db = new pg.Client({ connectionString: world.databaseUrl })
  await db.connect()
  try {
    const { rows } = await db.query<DemoPerson>(
      `SELECT split_part(a.email, '@', 1) AS account, r.id, r.code, '/pendaftaran/' || r.id AS registration,
         p.full_name AS name
       FROM registrations r JOIN accounts a ON a.id = r.account_id JOIN applicants p ON p.id = r.applicant_id
       WHERE a.email LIKE 'camaba%' AND ${where} ORDER BY a.email LIMIT $1`,
      [count],
    )
    if (rows.length < count) throw new Error(`Only ${rows.length} of the demo who ${where}`)
    return rows
  } finally {
    await db.end()
  }
}

/** A demo applicant whose registration matches the SQL condition. */
export const someoneWho = async (world: World, where: string) => (await peopleWho(world, where, 1))[0]!
