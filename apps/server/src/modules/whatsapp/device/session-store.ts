import type { AuthenticationCreds, AuthenticationState, SignalDataTypeMap } from '@whiskeysockets/baileys'
import { sql } from 'kysely'
import { seal, unseal } from '#server/modules/whatsapp/connections/secrets.ts'
import type { Services } from '#server/platform/services.ts'
import { loadLibrary } from './socket.ts'

const credsName = 'creds'

/**
 * The session of a linked phone, sealed row by row. Only the process that holds the connection writes: one that lost it
 * without knowing would overwrite keys the phone has already moved on from.
 */
export async function loadSession(services: Services, connectionId: string, owner: string) {
  const { BufferJSON, initAuthCreds, proto } = await loadLibrary()
  const { db } = services

  async function read(names: string[]): Promise<Map<string, unknown>> {
    const rows = await db
      .selectFrom('whatsappDeviceKeys')
      .select(['name', 'sealed'])
      .where('connectionId', '=', connectionId)
      .where('name', 'in', names)
      .execute()
    return new Map(
      rows.flatMap(({ name, sealed }) => {
        const text = unseal(services, connectionId, 'device', sealed)
        return text === undefined ? [] : [[name, JSON.parse(text, BufferJSON.reviver)] as const]
      }),
    )
  }

  async function write(values: [name: string, value: unknown][]) {
    const kept = values.filter(([, value]) => value !== null && value !== undefined)
    const gone = values.filter(([, value]) => value === null || value === undefined).map(([name]) => name)
    const names = kept.map(([name]) => name)
    const boxes = kept.map(([, value]) =>
      seal(services, connectionId, 'device', JSON.stringify(value, BufferJSON.replacer)),
    )
    const held = sql`EXISTS (SELECT FROM whatsapp_connections WHERE id = ${connectionId} AND lease_owner = ${owner})`
    await db.transaction().execute(async (tx) => {
      if (names.length > 0)
        await sql`INSERT INTO whatsapp_device_keys (connection_id, name, sealed)
          SELECT ${connectionId}, name, sealed FROM unnest(${names}::text[], ${boxes}::text[]) AS given (name, sealed) WHERE ${held}
          ON CONFLICT (connection_id, name) DO UPDATE SET sealed = excluded.sealed`.execute(tx)
      if (gone.length > 0)
        await sql`DELETE FROM whatsapp_device_keys
          WHERE connection_id = ${connectionId} AND name = ANY(${gone}::text[]) AND ${held}`.execute(tx)
    })
  }

  const creds = ((await read([credsName])).get(credsName) as AuthenticationCreds | undefined) ?? initAuthCreds()
  const nameOf = (type: string, id: string) => `${type}:${id}`
  const auth: AuthenticationState = {
    creds,
    keys: {
      async get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
        const found = ids.length > 0 ? await read(ids.map((id) => nameOf(type, id))) : new Map()
        const values: Record<string, SignalDataTypeMap[T]> = {}
        for (const id of ids) {
          const value = found.get(nameOf(type, id))
          if (value === undefined) continue
          values[id] = (
            type === 'app-state-sync-key' ? proto.Message.AppStateSyncKeyData.fromObject(value as object) : value
          ) as SignalDataTypeMap[T]
        }
        return values
      },
      set: (data) =>
        write(
          Object.entries(data).flatMap(([type, ofType]) =>
            Object.entries(ofType ?? {}).map(([id, value]): [string, unknown] => [nameOf(type, id), value]),
          ),
        ),
    },
  }
  return { auth, saveCreds: () => write([[credsName, creds]]) }
}
