/**
 * Calls `close` and exits on SIGINT, SIGTERM, SIGHUP and when the parent process ends; a second SIGINT, or 30 seconds,
 * exits without waiting. Returns a function that tells whether stopping has begun.
 */
export function stopOnSignal(close: () => Promise<unknown>): () => boolean {
  let isStopping = false
  const stop = () => {
    if (isStopping) return
    isStopping = true
    const forcedExit = setTimeout(() => process.exit(1), 30_000)
    forcedExit.unref()
    close().then(
      () => process.exit(0),
      (error) => {
        process.stderr.write(`${error}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', () => (isStopping ? process.exit(130) : stop()))
  process.on('SIGTERM', stop)
  process.on('SIGHUP', stop)
  process.on('disconnect', stop)
  return () => isStopping
}
