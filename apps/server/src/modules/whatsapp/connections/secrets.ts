import { openText, sealText } from '#server/platform/access/secret-box.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

/** Secrets of a connection. Each is sealed separately and opens only for its connection and name. */
export type SecretName = 'accessToken' | 'appSecret' | 'verifyToken' | 'pairing' | 'device'

const purpose = (connectionId: string, name: SecretName) => `whatsapp ${name} ${connectionId}`

export const seal = ({ config }: Pick<Services, 'config'>, connectionId: string, name: SecretName, text: string) =>
  sealText(config.secretKey, purpose(connectionId, name), text)

/** The opened secret; undefined if it was never set or the installation's key has changed. */
export const unseal = (
  { config }: Pick<Services, 'config'>,
  connectionId: string,
  name: SecretName,
  sealed: string | null,
) => (sealed === null ? undefined : openText(config.secretKey, purpose(connectionId, name), sealed))

export const forgetDevice = (db: Db, connectionId: string) =>
  db.deleteFrom('whatsappDeviceKeys').where('connectionId', '=', connectionId).execute()
