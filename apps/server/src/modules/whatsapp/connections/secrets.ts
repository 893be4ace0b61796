import { openText, sealText } from '#server/platform/access/secret-box.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

/** What of a connection nobody may read: it goes into a box that opens for this connection and purpose alone. */
export type SecretName = 'accessToken' | 'appSecret' | 'verifyToken' | 'pairing' | 'device'

const purpose = (connectionId: string, name: SecretName) => `whatsapp ${name} ${connectionId}`

export const seal = ({ config }: Pick<Services, 'config'>, connectionId: string, name: SecretName, text: string) =>
  sealText(config.secretKey, purpose(connectionId, name), text)

/** Nothing when it was never set, or when the installation's key is another one by now. */
export const unseal = (
  { config }: Pick<Services, 'config'>,
  connectionId: string,
  name: SecretName,
  sealed: string | null,
) => (sealed === null ? undefined : openText(config.secretKey, purpose(connectionId, name), sealed))

export const forgetDevice = (db: Db, connectionId: string) =>
  db.deleteFrom('whatsappDeviceKeys').where('connectionId', '=', connectionId).execute()
