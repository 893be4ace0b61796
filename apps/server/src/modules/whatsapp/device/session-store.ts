import type { AuthenticationCreds, AuthenticationState, SignalDataTypeMap } from '@whiskeysockets/baileys'
import { sql } from 'kysely'
import { seal, unseal } from '#server/modules/whatsapp/connections/secrets.ts'
import type { Services } from '#server/platform/services.ts'
import { loadLibrary } from './socket.ts'

const credsName = 'creds'

/**
 * Loads the session of a linked phone, sealed row by row. Only the lease holder may write: a process that lost its
 * lease without noticing would overwrite newer keys.
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
    const storedValues = values.filter(([, value]) => value !== null && value !== undefined)
    const deletedNames = values.filter(([, value]) => value === null || value === undefined).map(([name]) => name)
    const names = storedValues.map(([name]) => name)
    const sealedValues = storedValues.map(([, value]) =>
      seal(services, connectionId, 'device', JSON.stringify(value, BufferJSON.replacer)),
    )
    const holdsLease = sql`EXISTS (SELECT FROM whatsapp_connections WHERE id = ${connectionId} AND lease_owner = ${owner})`
    await db.transaction().execute(async (tx) => {
      if (names.length > 0)
        await sql`INSERT INTO whatsapp_device_keys (connection_id, name, sealed)
          SELECT ${connectionId}, name, sealed FROM unnest(${names}::text[], ${sealedValues}::text[]) AS given (name, sealed) WHERE ${holdsLease}
          ON CONFLICT (connection_id, name) DO UPDATE SET sealed = excluded.sealed`.execute(tx)
      if (deletedNames.length > 0)
        await sql`DELETE FROM whatsapp_device_keys
          WHERE connection_id = ${connectionId} AND name = ANY(${deletedNames}::text[]) AND ${holdsLease}`.execute(tx)
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
          Object.entries(data).flatMap(([type, valuesById]) =>
            Object.entries(valuesById ?? {}).map(([id, value]): [string, unknown] => [nameOf(type, id), value]),
          ),
        ),
    },
  }
  return { auth, saveCreds: () => write([[credsName, creds]]) }
}
