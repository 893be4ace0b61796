/**
 * Ends in order on Ctrl-C, on SIGTERM, and when the process that started this one is gone.
 * A second Ctrl-C does not wait. Returns whether stopping has begun.
 */
export function stopOnSignal(close: () => Promise<unknown>): () => boolean {
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    const late = setTimeout(() => process.exit(1), 30_000)
    late.unref()
    close().then(
      () => process.exit(0),
      (error) => {
        process.stderr.write(`${error}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', () => (stopping ? process.exit(130) : stop()))
  process.on('SIGTERM', stop)
  process.on('SIGHUP', stop)
  process.on('disconnect', stop)
  return () => stopping
}
