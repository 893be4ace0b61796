import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'

const reconnectAfterMs = 500
const heartbeatEveryMs = 20_000
const heartbeatTimeoutMs = 5_000

type Options = {
  connectionString: string
  log: FastifyBaseLogger
  /** Called with each change, or with `all` when changes may have been missed. */
  onNotice: (notice: string) => void
}

/** Listens on its own connection for access changes notified by any process; reconnects when cut off. */
export function createAccessListener({ connectionString, log, onNotice }: Options) {
  let isListening = false
  let isStopped = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let heartbeat: NodeJS.Timeout | undefined

  async function listen() {
    const connection = new pg.Client({ connectionString, keepAlive: true, application_name: 'pmb-access' })
    client = connection
    const reconnect = () => {
      if (client !== connection) return
      client = undefined
      isListening = false
      onNotice('all')
      clearInterval(heartbeat)
      connection.end().catch(() => {})
      if (!isStopped) retry = setTimeout(() => void listen(), reconnectAfterMs)
    }
    connection.on('error', reconnect)
    connection.on('end', reconnect)
    connection.on('notification', ({ payload }) => onNotice(payload ?? 'all'))
    try {
      await connection.connect()
      await connection.query('LISTEN access_changed')
      onNotice('all')
      isListening = true
      heartbeat = startHeartbeat(connection, reconnect)
    } catch (error) {
      if (!isStopped) log.warn({ err: error }, 'access listener is not connected')
      reconnect()
    }
  }

  return {
    /** False until the connection is open, and while it is down. */
    isListening: () => isListening,
    start: listen,
    async stop() {
      isStopped = true
      clearTimeout(retry)
      clearInterval(heartbeat)
      const connection = client
      client = undefined
      isListening = false
      await connection?.end().catch(() => {})
    },
  }
}

/** A silently dead connection would hide revocations; a query every 20 seconds detects it. */
function startHeartbeat(connection: pg.Client, onDeath: () => void) {
  const heartbeat = setInterval(() => {
    const heartbeatTimeout = setTimeout(onDeath, heartbeatTimeoutMs)
    connection.query('SELECT 1').then(
      () => clearTimeout(heartbeatTimeout),
      () => {},
    )
  }, heartbeatEveryMs)
  heartbeat.unref()
  return heartbeat
}
