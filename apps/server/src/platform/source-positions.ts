import fs from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { fileURLToPath } from 'node:url'

const bundlePosition = /(file:\/\/[^\s()]*\/apps\/server\/dist\/[^\s()/]+\/[^\s()]+\.mjs):(\d+):(\d+)/g

const keptMs = 60_000
/** Maps by the URL of their file, because reading one takes some ten milliseconds and errors come in groups. */
const maps = new Map<string, SourceMap | undefined>()

/**
 * A stack trace with places in sources instead of the server's bundle (apps/server/src/bundle.mjs). Maps are read only
 * here and forgotten after a minute, because they are larger than the program.
 */
export function sourcePositions(stack: string): string {
  return stack.replace(bundlePosition, (place, url: string, line: string, column: string) => {
    if (!maps.has(url)) {
      maps.set(url, readMap(`${fileURLToPath(url)}.map`))
      setTimeout(() => maps.delete(url), keptMs).unref()
    }
    const origin = maps.get(url)?.findOrigin(Number(line), Number(column))
    return origin && 'fileName' in origin ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}` : place
  })
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(fs.readFileSync(file, 'utf8')) as SourceMapPayload)
  } catch {
    return undefined
  }
}

/** The stack trace of an error as people read it; anything else as text. */
export const readableStack = (error: unknown): string =>
  sourcePositions(error instanceof Error ? (error.stack ?? error.message) : String(error))

/** Lets an error that ends the process name sources. */
export const showSourcesOfCrashes = () =>
  process.on('uncaughtExceptionMonitor', (error) => {
    error.stack = readableStack(error)
  })
