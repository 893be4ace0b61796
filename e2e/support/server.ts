import { type ChildProcess, spawn } from 'node:child_process'
import type net from 'node:net'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export type Server = {
  url: string
  /** Output of the server, once it matches. */
  printed(pattern: RegExp): Promise<string>
  /** Ends the server and waits until it has ended. */
  stop(): Promise<void>
  /** Ends the server with SIGKILL, as a power cut would. */
  kill(): Promise<void>
  /** Starts the server again on the same data and port. */
  startAgain(): Promise<void>
  /** Lets this process end without stopping the server, which then stops by itself. */
  endWithThisProcess(): void
}

/** Starts the product on a data folder, on a free port; by default a demo of the current season. */
export async function startServer(dataDir: string, settings: Record<string, string> = {}): Promise<Server> {
  let output = ''
  const readers = new Set<() => void>()

  /** Starts a process and waits until it prints its address. */
  function launch(port: string) {
    const child = spawn(process.execPath, [path.resolve('apps/server/src/main.mjs')], {
      env: {
        ...process.env,
        ...{ DATABASE_URL: '', PMB_DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error' },
        // Journeys look for their rows among the current season's 300 applicants.
        ...{ GUARD_TRANSACTIONS: 'true', DEMO_HISTORY: 'false', ...settings },
        ...(port && { PORT: port }),
      },
      // The channel closes when this process ends, however it ends, and the server stops.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    return new Promise<{ child: ChildProcess; url: string }>((resolve, reject) => {
      let printedByChild = ''
      const read = (chunk: Buffer) => {
        printedByChild += chunk
        output += chunk
        for (const look of readers) look()
        const address = /http:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(printedByChild)
        if (address) resolve({ child, url: address[0] })
      }
      child.stdout!.on('data', read)
      child.stderr!.on('data', read)
      child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${printedByChild}`)))
    })
  }

  let { child, url } = await launch('')
  await answersSteadily(url)
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }
  return {
    url,
    printed: (pattern) =>
      new Promise((resolve) => {
        const look = () => {
          if (!pattern.test(output)) return
          readers.delete(look)
          resolve(output)
        }
        readers.add(look)
        look()
      }),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    async startAgain() {
      ;({ child } = await launch(new URL(url).port))
      await answersSteadily(url)
    },
    endWithThisProcess() {
      child.unref()
      child.channel?.unref()
      for (const stream of [child.stdout, child.stderr]) (stream as net.Socket).unref()
    },
  }
}

/** Whether a server at this address reports that it is ready. */
export const isReady = (url: string) =>
  fetch(`${url}/api/ready`).then(
    ({ ok }) => ok,
    () => false,
  )

/**
 * Waits until the server has been ready for over a second: it measures its load each second, and refuses calls in the
 * next one if its start kept it busy.
 */
async function answersSteadily(url: string) {
  let readySince: number | undefined
  for (let tries = 0; tries < 600; tries++) {
    readySince = (await isReady(url)) ? (readySince ?? performance.now()) : undefined
    if (readySince !== undefined && performance.now() - readySince > 1_500) return
    await wait(100)
  }
  throw new Error('The server does not become ready')
}
